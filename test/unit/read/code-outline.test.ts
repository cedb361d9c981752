import { expect, it } from 'vitest';
import { parseCode } from '../../../src/read/code/code.ts';
import { declarations } from '../../../src/read/code/outline.ts';

/** Each as `level name: first line`, where the first line may be one of a comment. */
function outline(language: string, text: string): string[] {
  return declarations(text, language).map(
    ({ start, level, label }) => `${level} ${label}: ${text.slice(start).split('\n')[0]!.trim()}`,
  );
}

it('keeps `get` and `set` where they begin a name', () => {
  const text = `class Store {
  getValue(key) {}
  setAll(values) {}
  asyncTask() {}
  get size() { return this.map.size; }
  #getTicks() {}
  async *entries() {}
  settle = async () => {};
  /** Walks. */
  [Symbol.iterator]() { return this.map.values(); }
  last() {}
}`;
  expect(outline('javascript', text)).toEqual([
    '1 Store: class Store {',
    '2 getValue: getValue(key) {}',
    '2 setAll: setAll(values) {}',
    '2 asyncTask: asyncTask() {}',
    '2 size: get size() { return this.map.size; }',
    '2 #getTicks: #getTicks() {}',
    '2 entries: async *entries() {}',
    '2 settle: settle = async () => {};',
    '2 last: last() {}',
  ]);
});

it('finds what a header of C declares, with its comment, inside `extern "C"`', () => {
  const text = `#ifdef __cplusplus
extern "C" {
#endif
/* A buffer. */
typedef struct buf {
  struct buf *next;
} buf_t;
typedef int (*buf_compare)(const void *a, const void *b);
struct other;
/* Appends. */
BUF_API buf_status buf_append(buf_t *b,
                              struct other *o);
BUF_CHECK(buf_t);
#ifdef __cplusplus
}
#endif
/* Frees. */
static unsigned long
buf_free (buf_t *b)
{
  free(b->data);
}
`;
  expect(outline('c', text)).toEqual([
    '1 buf: /* A buffer. */',
    '1 buf_compare: typedef int (*buf_compare)(const void *a, const void *b);',
    '1 buf_append: /* Appends. */',
    '1 buf_free: /* Frees. */',
  ]);
});

it('names functions whose types have parameters', () => {
  const java = `public class Pump<T extends Comparable<T>> implements Runnable {
    @Override public void run() {}
    public <R> Optional<R> map(Function<? super T, ? extends R> f) throws IOException {
        return list.stream(f);
    }
    public static @Nullable String nameOf(Pump<?> p) { return p.name; }
    abstract void drain();
    @interface Marker { String value() default "x"; }
}`;
  expect(outline('java', java).map((line) => line.replace(/:.*/, ''))).toEqual([
    '1 Pump',
    '2 run',
    '2 map',
    '2 nameOf',
    '2 drain',
    '2 Marker',
  ]);
  const cpp = `namespace tools::ring {
/// Keeps the last values.
template <typename T, int N>
class Ring : public Base<T> {
public:
  /** Adds a value. */
  void push(const T& value);
};
/** Slots in use. */
template <typename T, int N>
int Ring<T, N>::size() const noexcept {
  return 0;
}
enum class Colour { red };
}`;
  expect(outline('cpp', cpp)).toEqual([
    '1 tools::ring: namespace tools::ring {',
    '2 Ring: /// Keeps the last values.',
    '3 push: /** Adds a value. */',
    '2 Ring::size: /** Slots in use. */',
    '2 Colour: enum class Colour { red };',
  ]);
});

it('opens a class of C# below its name, and finds its members', () => {
  const text = `namespace Bank.Core
{
    public class Account : IAccount
    {
        /// <summary>Withdraws.</summary>
        [Obsolete("Use Take")]
        public async Task<bool> WithdrawAsync(long cents)
        {
            if (cents > Balance) throw new InvalidOperationException("low");
        }
    }
}`;
  expect(outline('csharp', text)).toEqual([
    '1 Bank.Core: namespace Bank.Core',
    '2 Account: public class Account : IAccount',
    '3 WithdrawAsync: /// <summary>Withdraws.</summary>',
  ]);
});

it('says what an implementation of Rust is for, and takes no field for a function', () => {
  const text = `pub struct Retry<'a> {
    pub(crate) pause: u64,
}
impl<'a> Retry<'a> {
    /// Runs.
    pub async fn run<F>(&self, f: F) -> Result<(), Error> {}
}
impl<T: Display> fmt::Display for Wrapper<T> {
    fn fmt(&self) -> fmt::Result { Err(Error::new(1)) }
}`;
  expect(outline('rust', text).map((line) => line.replace(/: .*/, ''))).toEqual([
    '1 Retry',
    '2 run',
    '1 fmt::Display for Wrapper',
    '2 fmt',
  ]);
});

it('reads the headings of Perl’s documentation, and takes its prose for prose', () => {
  const text = `# the \`name' of it
sub wrap {
  my ($n) = @_; # don't {
  return $#list // 1;
}
sub later($);
=head2 The C<wrap> function

all lines (of it) are wrapped independently

=cut
sub fill { 1 }
`;
  expect(outline('perl', text)).toEqual([
    "1 wrap: # the `name' of it",
    '2 The wrap function: =head2 The C<wrap> function',
    '1 fill: sub fill { 1 }',
  ]);
});

it('finds functions of R and shell, targets of make, indexes and namespaces', () => {
  expect(outline('r', "#' Mean.\nmean_of <- function(x) {\n}\n")).toEqual(["1 mean_of: #' Mean."]);
  expect(outline('shell', '# Ends.\ndie() { exit 1; }\n')).toEqual(['1 die: # Ends.']);
  expect(outline('make', 'A := 1\n.PHONY: all\n## Cleans.\nclean:\n\trm -f a:b\n')).toEqual(['1 clean: ## Cleans.']);
  expect(outline('sql', 'CREATE UNIQUE INDEX CONCURRENTLY by_mail ON users (mail);')[0]).toMatch(/^1 by_mail:/);
  expect(outline('php', '<?php\nnamespace House\\Lights;\n')).toEqual(['1 House\\Lights: namespace House\\Lights;']);
});

it('reads the tables of settings as sections, each with the comment above it', () => {
  const text = 'name = "a"\n[tool.lint]\n# Longest line.\n[[tool.types.overrides]]\nmodule = ["b"]\n';
  expect(outline('toml', text)).toEqual(['1 tool.lint: [tool.lint]', '1 tool.types.overrides: # Longest line.']);
  expect(parseCode(text, { name: 'pyproject.toml' }).metadata).toEqual({ language: 'toml' });
});
