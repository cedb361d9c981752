import { afterEach, describe, expect, it } from 'vitest';
import type { SegmentData } from '../../../src/lexical/contract.ts';
import { AnalysedDocuments, analyse } from '../../../src/store/analyse.ts';
import type { AnalysableDocument } from '../../../src/store/contract.ts';
import { BackgroundSegmentBuilder } from '../../../src/store/segment-builder.ts';
import { TermNumbers } from '../../../src/text/analysis/analysis.ts';
import { randomSource } from '../vector/random.ts';
import { texts } from './records.ts';

const open: BackgroundSegmentBuilder[] = [];
function analyst(threaded = true): BackgroundSegmentBuilder {
  const made = new BackgroundSegmentBuilder({ threaded });
  open.push(made);
  return made;
}
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop();
});

/** A segment as text, byte for byte. */
function bytesOf({ header, blocks }: SegmentData): string[] {
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
  return [base64(header), ...blocks.map(({ firstTerm, bytes }) => `${firstTerm} ${base64(bytes)}`)];
}

/** Documents of a few chunks each, together more than make a thread worth it. */
function documents(seed: number, count = 300): AnalysableDocument[] {
  const random = randomSource(seed);
  return Array.from({ length: count }, (_, i) => ({
    title: i % 7 === 0 ? '' : `Title ${i} Größe`,
    chunks: texts(random, random.integer(i % 50 === 0 ? 0 : 1, 5), 12).map((text, at) => ({
      text: at % 4 === 0 ? `${text} 東京 parseHTTPHeader \ud800 v22.18` : text,
      headings: at % 2 === 0 ? ['Part', `Section ${i}`] : [],
      ...(at % 3 === 0 ? { context: 'name | price' } : {}),
    })),
  }));
}

describe('BackgroundSegmentBuilder', () => {
  it('builds the segments that are built without it, whatever was announced', async () => {
    const one = analyst();
    const some = documents(1);
    const unannounced = documents(2, 10);
    one.enqueue(some);
    expect(one.isThreaded).toBe(false); // a few kilobytes wait for more
    const retitled = { ...some[4]!, title: 'Another one' };
    for (const batch of [some.slice(0, 120), [...some.slice(200), ...unannounced], [retitled, retitled, some[5]!]]) {
      one.enqueue(documents(9, 300)); // never asked for
      expect(bytesOf(await one.segment(batch))).toEqual(bytesOf(await analyse(batch)));
      expect(one.isThreaded).toBe(true);
    }
  });

  it('gives a segment that was begun before it was asked for, and another one where another is asked for', async () => {
    const one = analyst();
    const some = documents(8, 700);
    one.start(some); // there is no thread yet
    one.enqueue(some);
    expect(one.isThreaded).toBe(true);
    const copies = some.slice(0, 200).map((document) => ({ ...document }));
    one.start(copies);
    expect(bytesOf(await one.segment(some.slice(0, 200)))).toEqual(bytesOf(await analyse(some.slice(0, 200))));
    for (const asked of [some.slice(200, 300), some.slice(299, 400), [{ ...some[400]!, title: 'Another one' }], []]) {
      one.start(some.slice(200, 401));
      expect(bytesOf(await one.segment(asked))).toEqual(bytesOf(await analyse(asked)));
    }
    expect(one.isThreaded).toBe(true);
    one.start(some);
    await one.stop();
    expect(bytesOf(await one.segment(some))).toEqual(bytesOf(await analyse(some)));
  });

  it('starts no thread for a few documents, nor where it must not', async () => {
    const few = documents(3, 20);
    const small = analyst();
    small.enqueue(few);
    expect(bytesOf(await small.segment(few))).toEqual(bytesOf(await analyse(few)));
    expect(small.isThreaded).toBe(false);
    const many = documents(4, 600);
    const without = analyst(false);
    without.enqueue(many);
    expect(bytesOf(await without.segment(many))).toEqual(bytesOf(await analyse(many)));
    expect(without.isThreaded).toBe(false);
  });

  it('leaves documents that others have by name to them, and does what they do not give back', async () => {
    const asked: (readonly string[])[] = [];
    const some = documents(5, 12).map((document, i) => ({ ...document, part: `part-${i}` }));
    let isThere = true;
    const one = new BackgroundSegmentBuilder({
      threaded: false,
      distant: {
        async segment(parts) {
          asked.push(parts);
          return isThere
            ? await analyse(parts.map((part) => some.find((document) => document.part === part)!))
            : undefined;
        },
      },
    });
    const [first, second, third] = [some.slice(0, 5), some.slice(5, 9), some.slice(9)];
    one.enqueue(some);
    for (const batch of [first!, second!, third!]) one.start(batch);
    const named = (batch: typeof some): string[] => batch.map(({ part }) => part);
    expect(asked).toEqual([first!, second!, third!].map(named));
    for (const batch of [first!, third!]) {
      const stored = batch.map(({ title, chunks }) => ({ title, chunks })); // as records, which have no parts
      expect(bytesOf(await one.segment(stored))).toEqual(bytesOf(await analyse(batch)));
    }
    expect(asked).toHaveLength(3);
    isThere = false;
    expect(bytesOf(await one.segment(second!))).toEqual(bytesOf(await analyse(second!)));
    expect(asked).toHaveLength(4); // what was begun before the third batch is not kept
    const retitled = [{ ...first![0]!, title: 'Another one' }];
    expect(bytesOf(await one.segment(retitled))).toEqual(bytesOf(await analyse(retitled)));
    expect(asked).toHaveLength(4);
  });

  it('keeps a document of many megabytes here, and what comes with it', async () => {
    const one = analyst();
    const some = documents(5, 700);
    one.enqueue(some);
    const large = { title: 'Large', chunks: [{ text: 'lorem ipsum '.repeat(360_000), headings: [] }] };
    one.enqueue([large]);
    expect(one.isThreaded).toBe(true);
    const batch = [...some.slice(0, 5), large];
    expect(bytesOf(await one.segment(batch))).toEqual(bytesOf(await analyse(batch)));
    expect(bytesOf(await one.segment(some.slice(5)))).toEqual(bytesOf(await analyse(some.slice(5))));
  });

  it('does the work itself when the thread ends in the middle of it, and starts another one later', async () => {
    const one = analyst();
    const some = documents(6, 700);
    one.enqueue(some);
    expect(one.isThreaded).toBe(true);
    const waiting = one.segment(some);
    await one.stop();
    expect(bytesOf(await waiting)).toEqual(bytesOf(await analyse(some)));
    expect(one.isThreaded).toBe(false);
    one.enqueue(some);
    expect(one.isThreaded).toBe(true);
    expect(bytesOf(await one.segment(some))).toEqual(bytesOf(await analyse(some)));
  });
});

describe('AnalysedDocuments', () => {
  it('joins documents that were numbered before and after the numbers were replaced', async () => {
    const analysed = new AnalysedDocuments(() => new TermNumbers('document', 40));
    const some = documents(7, 60);
    for (const [key, document] of some.entries()) analysed.add(key, document);
    for (const keys of [[2, 40, 1, 59], Array.from({ length: 30 }, (_, i) => 3 + i), [41, 0]]) {
      const segment = analysed.segment(keys);
      expect(bytesOf(segment)).toEqual(bytesOf(await analyse(keys.map((key) => some[key]!))));
    }
    expect(() => analysed.segment([2])).toThrow(); // forgotten
  });
});
