// A synthetic corpus that behaves like text: Zipfian words, topics, documents of several paragraphs. The same for a
// seed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { seededRandom } from '../../src/internal.ts';

const syllables =
  'ba be bi bo bu da de di do du fa fe fi ka ke ki ko la le li lo ma me mi mo na ne ni no pa pe ra re ri ro sa se si so ta te ti to va ve vi zu'.split(
    ' ',
  );

function word(rank: number): string {
  let text = '';
  for (let n = rank + 40; n > 0; n = Math.floor(n / syllables.length)) text += syllables[n % syllables.length];
  return text;
}

export interface SyntheticDocument {
  readonly name: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
}

const VOCABULARY = 60_000;
const TOPICS = 400;
const PARAGRAPH_WORDS = 110;

/**
 * Document number `d` of the corpus, the same whenever it is asked for.
 * @param paragraphs each about one chunk's worth of text
 */
export function syntheticDocument(d: number, paragraphs: number, seed: number = 1): SyntheticDocument {
  const random = seededRandom(seed * 7919 + d);
  const zipf = (size: number): number => Math.min(size - 1, Math.floor(Math.exp(random() * Math.log(size + 1))) - 1);
  const topic = Math.floor(random() * TOPICS);
  // half of the words are everybody's, half are the topic's
  const pick = (): string =>
    random() < 0.5 ? word(zipf(VOCABULARY)) : word(2000 + ((topic * 577 + zipf(1500) * 31) % (VOCABULARY - 2000)));
  const sentence = (length: number): string => {
    const words = Array.from({ length }, pick).join(' ');
    return `${words[0]!.toUpperCase()}${words.slice(1)}.`;
  };
  return {
    name: `part-${d % 97}/document-${d}.md`,
    title: sentence(5).slice(0, -1),
    paragraphs: Array.from({ length: paragraphs }, () =>
      Array.from({ length: PARAGRAPH_WORDS / 11 }, () => sentence(11)).join(' '),
    ),
  };
}

/** The first `documents` documents. */
export function* syntheticCorpus(
  documents: number,
  paragraphs: number,
  seed: number = 1,
): Generator<SyntheticDocument> {
  for (let d = 0; d < documents; d++) yield syntheticDocument(d, paragraphs, seed);
}

/** A question made of words of one paragraph. */
export function queryOf(document: SyntheticDocument, random: () => number): string {
  const paragraph = document.paragraphs[Math.floor(random() * document.paragraphs.length)] ?? '';
  const words = paragraph.toLowerCase().replaceAll('.', '').split(' ');
  return Array.from({ length: 6 }, () => words[Math.floor(random() * words.length)]).join(' ');
}

/** Writes documents number `from` to `to` (exclusive) as Markdown files. @returns the bytes of their text */
export function writeDocuments(folder: string, from: number, to: number, paragraphs: number): number {
  let bytes = 0;
  for (let d = from; d < to; d++) {
    const { name, title, paragraphs: texts } = syntheticDocument(d, paragraphs);
    const text = `# ${title}\n\n${texts.join('\n\n')}`;
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    bytes += text.length;
  }
  return bytes;
}
