import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ExportedChunk } from '../../../src/index.ts';
import { chanceOf } from '../chance.ts';

/** Files by their uri. */
export type Library = Readonly<Record<string, string>>;

const words =
  'tide turbine blade harbour winch cable gearbox salinity current mooring survey diver buoy sonar keel anchor'.split(
    ' ',
  );

export const DOCUMENTS = 16;

/** Of document `i` alone, in each version. */
export const nameOf = (i: number): string => `quay${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}`;

/** Documents whose every paragraph names its version. Even versions have one document more, odd ones another. */
export function libraryOf(version: number, documents: number = DOCUMENTS): Library {
  const chance = chanceOf(version, 7919);
  const numbers = [...Array(documents).keys(), documents + (version % 2)];
  return Object.fromEntries(
    numbers.map((i) => {
      const paragraphs = Array.from({ length: 5 }, (_, p) => {
        const sentence = Array.from({ length: 30 }, () => chance.of(words)).join(' ');
        return `Version ${version} of document ${i}, paragraph ${p}, at ${nameOf(i)}: ${sentence}.`;
      });
      const body = paragraphs.join('\n\n');
      // A mail is read by a parser process.
      if (i === 0) return ['docs/mail.eml', `Subject: Document 0\nContent-Type: text/plain\n\n${body}\n`];
      return [`docs/${i % 5}/document-${i}.md`, `# Document ${i}\n\n${body}`];
    }),
  );
}

/** Makes the folder hold these documents and no others. */
export function writeLibrary(root: string, library: Library): void {
  for (const file of readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })) {
    const uri = `docs/${file}`;
    if (/\.(md|eml)$/.test(uri) && library[uri] === undefined) rmSync(join(root, uri));
  }
  for (const [uri, text] of Object.entries(library)) {
    mkdirSync(dirname(join(root, uri)), { recursive: true });
    writeFileSync(join(root, uri), text);
  }
}

/** The text of a document as the index has it. */
const indexedText = (uri: string, text: string): string =>
  uri.endsWith('.eml') ? text.slice(text.indexOf('\n\n') + 2).trimEnd() : text;

export interface SeenDocument {
  readonly text: string;
  readonly version: number;
}

/** Joins chunks to documents. @returns what is not whole, in words, and the documents with their version */
export function documentsOf(
  chunks: readonly ExportedChunk[],
  count: number = DOCUMENTS,
): {
  readonly broken: string[];
  readonly documents: ReadonlyMap<string, SeenDocument>;
} {
  const broken: string[] = [];
  const texts = new Map<string, string>();
  for (const { uri, span, text } of chunks) {
    const before = texts.get(uri) ?? '';
    if (span.start !== before.length) broken.push(`${uri} has a gap or an overlap at ${span.start}`);
    texts.set(uri, before + text);
  }
  const documents = new Map<string, SeenDocument>();
  for (const [uri, text] of texts) {
    const version = Number(/Version (\d+) of/.exec(text)?.[1] ?? -1);
    documents.set(uri, { text, version });
    if (!uri.startsWith('docs/')) continue;
    const wanted = libraryCache(version, count)[uri];
    if (wanted === undefined) broken.push(`${uri} does not belong to version ${version}`);
    else if (!text.includes(indexedText(uri, wanted).trim())) broken.push(`${uri} is not whole in version ${version}`);
  }
  return { broken, documents };
}

const made = new Map<string, Library>();

function libraryCache(version: number, documents: number): Library {
  const key = `${version} ${documents}`;
  const library = made.get(key) ?? libraryOf(version, documents);
  if (made.size > 8) made.clear();
  made.set(key, library);
  return library;
}
