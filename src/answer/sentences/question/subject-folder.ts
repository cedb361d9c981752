import type { Hit } from '../../../core/types.ts';
import { analyseWords } from '../../../text/analysis/words.ts';
import { kindOfThing } from '../../../text/languages/definitions.ts';
import { nameOfTitle } from '../../../text/title-line.ts';

/** A folder that is called as what its documents are about: `packages/quay-lift`, of which a document is titled so. */
export interface SubjectFolder {
  /** As the folder is written, with the scope above it: `@quay/lift`. */
  readonly name: string;
  /** What the addresses of its documents begin with. */
  readonly prefix: string;
}

/** What a passage has to do with the folders that a question names; undefined where it names none. */
export type OfSubject = 'own' | 'named' | 'other' | undefined;

/** `@quay/lift` and `lift` of `file:///packages/@quay/lift/README.md` */
const folderOf = /^(.*?)((?:@[^/]+\/)?([^/]+))\/[^/]*$/s;
/** What a title says of its document behind the name: `lift: raises loads`. */
const nameEnd = /[:,](?:\s|$)|\s/;

/** The folders that documents of these hits show to be called as what they are about, where a question names them. */
export function subjectFolders(question: string, hits: readonly Hit[]): SubjectFolder[] {
  const found = new Map<string, SubjectFolder>();
  const asked = question.toLowerCase();
  for (const { chunk } of hits) {
    const folder = folderNamed(chunk.uri, chunk.title);
    if (folder === undefined || found.has(folder.prefix)) continue;
    if (names(asked, folder.name, notAsWord)) found.set(folder.prefix, folder);
  }
  return [...found.values()];
}

/** The folder of a document, where the document is titled as its folder is called. */
function folderNamed(uri: string, title: string): SubjectFolder | undefined {
  const [, above = '', scoped, plain] = folderOf.exec(uri) ?? [];
  if (scoped === undefined || plain === undefined) return undefined;
  const called = nameOfTitle(title).toLowerCase();
  const short = called.split(nameEnd)[0];
  for (const name of [scoped.toLowerCase(), plain.toLowerCase()])
    if (name === called || name === short) return { name: scoped.toLowerCase(), prefix: `${above}${scoped}/` };
  return undefined;
}

const nameMark = String.raw`[\p{L}\p{N}@/_-]`;
/** `the notes`, `our contracts` are things, `the debug package` is a name. */
const notAsWord = String.raw`(?<!\b(?:the|an?|our|my|your|this|these|those|any)\s)|(?=\S+\s+(?:${kindOfThing.source.slice(1, -1)})(?!\p{L}))`;

/**
 * Whether a text in lower case has a name as a word of its own, and no longer name: not `quay-lift-oil` for `lift`.
 * @param condition source of a pattern for the place where the name begins
 */
function names(text: string, name: string, condition = ''): boolean {
  if (!text.includes(name)) return false;
  const written = name.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  const whole = `(?<!${nameMark}|\\p{L}\\.)(?:${condition})${written}(?!${nameMark}|\\.[\\p{L}\\p{N}])`;
  // a word that only asks, as `which`, names nothing
  return new RegExp(whole, 'u').test(text) && analyseWords(name).some(({ empty }) => !empty);
}

/** What a passage has to do with the folders named: it lies in one, it has the name of one, or neither. */
export function relationTo(folders: readonly SubjectFolder[], { chunk }: Hit): OfSubject {
  if (folders.length === 0) return undefined;
  if (folders.some(({ prefix }) => chunk.uri.startsWith(prefix))) return 'own';
  const own = [chunk.title, ...chunk.headings, chunk.text].join('\n').toLowerCase();
  return folders.some(({ name }) => names(own, name)) ? 'named' : 'other';
}

/** The names of the folders in which a document lies; '' where it lies in none of them. */
export function folderNames(folders: readonly SubjectFolder[], uri: string): string {
  return folders.flatMap(({ name, prefix }) => (uri.startsWith(prefix) ? [name] : [])).join(' ');
}
