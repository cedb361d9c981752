/** One attempt of the fuzzer: a document from a number, read, and what did not hold. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Document, Reader } from '../../../src/index.ts';
import { IbidError } from '../../../src/index.ts';
import { type Chance, chanceOf } from '../chance.ts';
import { faultOfError, faultsOf } from './invariants.ts';
import { membersOf, mutate } from './mutate.ts';
import { missing, roundTrip } from './round-trips.ts';

/** Documents to change, by the ending of their name. */
export type Seeds = ReadonlyMap<string, readonly string[]>;

export interface Attempt {
  /** What was read. */
  readonly what: string;
  /** `read`, or the code of the error. */
  readonly result: string;
  readonly ms: number;
  readonly faults: readonly string[];
}

const root = join(import.meta.dirname, '../../..');
const mostBytes = 400_000;

/** Small inputs of the kinds that break readers. Each is read first, and must be read or refused. */
export const keptFolder: string = join(import.meta.dirname, 'kept');

/** Of the collection of documents where it is there, else of the demo. */
export function findSeeds(shared: string = process.env.IBID_SHARED ?? join(root, '../shared')): Seeds {
  const wanted = ['docs', 'docs-bad'].map((folder) => join(shared, folder)).filter((path) => existsSync(path));
  const folders = wanted.length > 0 ? wanted : [join(root, 'datasets/demo')];
  const seeds = new Map<string, string[]>();
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || statSync(path).size > mostBytes) continue;
      const ending = extname(entry.name).toLowerCase();
      seeds.set(ending, [...(seeds.get(ending) ?? []), path].sort());
    }
  }
  return seeds;
}

/** @param timeLimitMs longest time of one file, with the time that a busy machine adds */
export async function attempt(
  number: number,
  seed: number,
  reader: Reader,
  seeds: Seeds,
  timeLimitMs: number,
  save?: string,
): Promise<Attempt> {
  const chance = chanceOf(seed, number);
  const kind = chance.below(20);
  const input = kind < 4 ? whole(chance) : kind === 4 ? compared(chance, seeds) : changed(chance, seeds);
  if (save !== undefined) writeFileSync(save, input.bytes);
  return await read(input, reader, timeLimitMs);
}

interface Input {
  readonly what: string;
  readonly name: string;
  readonly bytes: Buffer;
  /** What must hold besides for a document that was read; absent: it may be refused. */
  readonly expects?: (document: Document) => string | undefined;
}

/** Reads an input and checks what comes back. */
export async function read(input: Input, reader: Reader, timeLimitMs: number): Promise<Attempt> {
  const { what, name, bytes, expects } = input;
  const startedAt = performance.now();
  const faults: string[] = [];
  let result = 'read';
  try {
    const document = await reader.read({ bytes, uri: name });
    faults.push(...faultsOf(document));
    const lost = expects?.(document);
    if (lost !== undefined) faults.push(lost);
  } catch (error) {
    result = error instanceof IbidError ? error.code : 'other';
    const fault = faultOfError(error);
    if (fault !== undefined) faults.push(fault);
    else if (expects !== undefined && result !== 'FILE_TIMEOUT') faults.push(`refused: ${String(error)}`);
    if (result !== 'read' && /the parser stopped/.test(String(error))) result = 'parser stopped';
  }
  const ms = performance.now() - startedAt;
  if (ms > timeLimitMs) faults.push(`${Math.round(ms)} ms`);
  return { what, result, ms, faults };
}

function whole(chance: Chance): Input {
  const { name, bytes, words } = roundTrip(chance);
  return { what: `words written as ${name}`, name, bytes, expects: ({ text }) => missing(words, text) };
}

function changed(chance: Chance, seeds: Seeds): Input {
  const made = chance.below(3) === 0 ? roundTrip(chance) : undefined;
  const path = made === undefined ? chance.of(seeds.get(chance.of([...seeds.keys()]))!) : '';
  const name = made?.name ?? path.split('/').at(-1)!;
  const { bytes, did } = mutate(made?.bytes ?? readFileSync(path), name, chance);
  return { what: `${name}, changed: ${did.join(', ')}`, name, bytes };
}

/** An unchanged document, whose words another program finds too. */
function compared(chance: Chance, seeds: Seeds): Input {
  const sound = ([ending, paths]: readonly [string, readonly string[]]): [string, string[]] => [
    ending,
    paths.filter((path) => !path.includes('docs-bad')),
  ];
  const others = [...seeds].map(sound).filter(([ending, paths]) => ending in extractions && paths.length > 0);
  if (others.length === 0) return whole(chance);
  const [ending, paths] = chance.of(others);
  const path = chance.of(paths);
  const name = path.split('/').at(-1)!;
  const bytes = readFileSync(path);
  const words = extractions[ending]!(bytes, path);
  const input = { what: `${name} beside another extraction`, name, bytes };
  if (words.length < 50) return input;
  return { ...input, expects: ({ text }) => shareMissing(words, text) };
}

const leastShare = 0.9;

function shareMissing(words: readonly string[], text: string): string | undefined {
  const here = new Set(wordsOf(text));
  const share = words.filter((word) => here.has(word)).length / words.length;
  return share >= leastShare ? undefined : `only ${Math.round(share * 100)} % of the words of another extraction`;
}

/** Words of three plain letters and more: fonts of other scripts often do not say which characters they show. */
function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/(?<!\p{L})[a-z]{3,}(?!\p{L})/gu) ?? []
  );
}

const pdftotext: string | undefined = run('sh', ['-c', 'command -v pdftotext']).trim() || undefined;

/** What a program prints; nothing when it fails. */
function run(program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 26,
      timeout: 20_000,
    });
  } catch {
    return '';
  }
}

type Extraction = (bytes: Buffer, path: string) => string[];

/** Text elements of the members of an archive, without any knowledge of the format. */
function textNodes(member: RegExp, node: RegExp): Extraction {
  return (bytes) => {
    const sources = membersOf(bytes).filter(({ name }) => member.test(name));
    const texts = sources.flatMap(({ bytes: xml }) => [
      ...Buffer.from(xml as Uint8Array)
        .toString('utf8')
        .matchAll(node),
    ]); // as unpacked
    return wordsOf(
      texts
        .map(([, text]) => (text ?? ' ').replace(/&#?\w+;/g, ' '))
        .join('')
        .replace(/<[^>]*>/g, ' '),
    );
  };
}

const extractions: Readonly<Record<string, Extraction>> = {
  '.docx': textNodes(/^word\/document\.xml$/, /<w:t(?: [^>]*)?>([^<]*)<|<\/w:p>/g),
  '.pptx': textNodes(/^ppt\/slides\/slide\d+\.xml$/, /<a:t>([^<]*)<|<\/a:p>/g),
  ...(pdftotext === undefined
    ? {}
    : { '.pdf': (_bytes: Buffer, path: string) => wordsOf(run(pdftotext, ['-q', path, '-'])) }),
};
