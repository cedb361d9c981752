/** Languages that put a type before the name of a function. */
const typed = new Set(['c', 'cpp', 'objective-c', 'csharp', 'java', 'groovy', 'dart', 'd', 'cuda', 'glsl', 'solidity']);
/** Languages, beside those, whose members may be a name and its arguments. */
const withMethods = new Set(['javascript', 'typescript', 'vue', 'svelte', 'astro', 'swift']);

const MODIFIERS = String.raw`(?:(?:export|default|declare|public|private|protected|internal|static|final|abstract|async|override|readonly|sealed|partial|virtual|inline|extern(?:\s+"[^"]*")?|unsafe|open|data|pub(?:\([\w:]+\))?|const|constexpr|template|typedef|case)\s+)*`;
const NAMED = new RegExp(
  String.raw`^\s*${MODIFIERS}(@?interface|enum(?:\s+(?:class|struct))?|class|struct|trait|impl|namespace|module|mod|object|record|protocol|extension|union|type|function\*?|fn|func|fun|def|sub|macro_rules!)\s+(?:\([^)]{0,80}\)\s*)?&?((?<=\bimpl\s+)[\w:]+\s+for\s+&?[\w:]+|[\p{L}_$][\p{L}\p{N}_$.:\\-]*)`,
  'u',
);
const FUNCTION = String.raw`(?:async\s+)?(?:function\b|\([^)]{0,200}\)\s*(?::[^=]{1,80})?=>|[\p{L}_$][\p{L}\p{N}_$]*\s*=>|class\b)`;
const ASSIGNED = new RegExp(
  String.raw`^\s*(?:export\s+)?(?:const|let|var)\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*(?::[^=]{1,120})?=\s*${FUNCTION}`,
  'u',
);
/** `settle = async () => {` inside a class body. */
const FIELD_ASSIGNED = new RegExp(
  String.raw`^\s*(?:(?:public|private|protected|static|override|readonly)\s+)*(#?[\p{L}_$][\p{L}\p{N}_$]*)\s*(?::[^=]{1,120})?=\s*${FUNCTION}`,
  'u',
);
const MEMBER_ASSIGNED =
  /^\s*((?:module\.)?[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)+)\s*=\s*(?:async\s+)?(?:function\b|\([^)]{0,200}\)\s*=>)/u;
/** `mean_of <- function(x)` of R. */
const ARROW_ASSIGNED = /^\s*([\p{L}.][\p{L}\p{N}_.]*)\s*(?:<-|=)\s*function\b/u;
/** `int main(int argc`, `public List names(`: a type, a name, an open parenthesis. */
const TYPED_FUNCTION = /^\s*(?:[\p{L}_][\p{L}\p{N}_,.:*&[\]?]*\s+){1,5}[*&]*([\p{L}_][\p{L}\p{N}_:~]*)\s*\(/u;
/** `name(args) {` inside a class body; the semicolon of a line that only declares it stands behind a type. */
const METHOD =
  /^\s*(?:(?:public|private|protected|static|async|override|get|set|readonly|abstract)\s+)*\*?\s*(#?[\p{L}_$][\p{L}\p{N}_$]*)\??\s*\((?:[^;]*(?:\{.*)?|[^;]*\)\s*:[^;]+;\s*)$/u;
/** `main (int argc)` below the line of its type, as some write C. */
const NAME_ALONE = /^([\p{L}_][\p{L}\p{N}_]*) ?\([^;]*$/u;
/** `typedef struct buf {`, `typedef int (*compare)(`, `typedef unsigned long size;` */
const TYPEDEF = /^\s*typedef\s[^;{]*?(?:\(\s*\*\s*(\w+)\s*\)\s*\(|\b(\w+)\s*;\s*$)/;
const NOT_A_NAME = new Set(
  'if for while switch catch return else do try new throw await typeof in of delete case with yield super require import function elif except using lock foreach sizeof assert'.split(
    ' ',
  ),
);
const CONTAINERS = new Set([
  'class',
  'interface',
  '@interface',
  'struct',
  'trait',
  'impl',
  'namespace',
  'module',
  'mod',
  'object',
  'record',
  'protocol',
  'extension',
]);
/** `<K, V extends Named>`: nothing in it names what is declared. */
const generics = /<[\p{L}\p{N}_\s,.:*&?[\]'@]*>/gu;
const annotation = /@(?!interface\b)[\w.]+(?:\([^()]*\))?\s+(?=\S)/g;

function withoutGenerics(line: string): string {
  let flat = line.replace(annotation, '');
  for (let depth = 0; depth < 4 && flat.includes('<'); depth++) flat = flat.replace(generics, '');
  return flat;
}

/**
 * What a line declares.
 * @param member the line stands in the body of a class or its like
 */
export function declarationOf(
  source: string,
  language: string | undefined,
  member: boolean,
): { label: string; container: boolean } | undefined {
  const line = withoutGenerics(source);
  const named = NAMED.exec(line);
  if (named && !(hasHeaders(language) && isUse(named, line))) {
    const [, keyword, name] = named as unknown as [string, string, string];
    if (keyword === 'type' && !/[={]/.test(line)) return undefined;
    if (/^(?:mod|sub)$/.test(keyword) && /;\s*$/.test(line) && !line.includes('{')) return undefined;
    return { label: name.replace(/[:.\\]+$/, ''), container: CONTAINERS.has(keyword) };
  }
  const alias = TYPEDEF.exec(line);
  if (alias) return { label: (alias[1] ?? alias[2])!, container: false };
  const assigned =
    ASSIGNED.exec(line) ??
    MEMBER_ASSIGNED.exec(line) ??
    ARROW_ASSIGNED.exec(line) ??
    (member ? FIELD_ASSIGNED.exec(line) : null);
  if (assigned) return { label: assigned[1]!, container: false };
  if (/^\s*(?:return|else|throw|new|await|case|import|typedef|export\s*\{|[})\]])/.test(line)) return undefined;
  const isTyped = language === undefined || typed.has(language);
  const method = member && (isTyped || withMethods.has(language)) ? METHOD.exec(line) : null;
  if (method && !NOT_A_NAME.has(method[1]!)) return { label: method[1]!, container: false };
  if (!isTyped) return undefined;
  const found = TYPED_FUNCTION.exec(line) ?? (hasHeaders(language) ? NAME_ALONE.exec(line) : null);
  const isCall = language === undefined && /;\s*$/.test(line);
  if (!found || isCall || NOT_A_NAME.has(found[1]!) || NOT_A_NAME.has(/^\s*(\w+)/.exec(line)![1]!)) return undefined;
  if (hasHeaders(language) && /^[A-Z\d_]+$/.test(found[1]!)) return undefined; // a macro
  return /[=.]\s*[\w.]*\(/.test(line.slice(0, line.indexOf('(') + 1))
    ? undefined
    : { label: found[1]!, container: false };
}

/** `struct buf *next;`, and the forward declaration `struct buf;`, in C. */
function isUse({ 0: head, 1: keyword = '' }: RegExpExecArray, line: string): boolean {
  return /^(?:struct|union|enum|class)/.test(keyword) && !/^\s*(?:final\b|[:{]|$|\/[/*])/.test(line.slice(head.length));
}

/** Languages of C: types stand on lines of their own, and functions without bodies in headers. */
export function hasHeaders(language: string | undefined): boolean {
  return language === 'c' || language === 'cpp' || language === 'objective-c' || language === 'cuda';
}
