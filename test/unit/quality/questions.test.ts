import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/eval/statistics.ts';
import { chunkDocument, createReader } from '../../../src/index.ts';
import { QuestionMaker, splitQuestions } from '../../../src/quality/make-questions.ts';
import { formatQuestions, judgedQuestion, questionSetHash, readQuestionFile } from '../../../src/quality/question.ts';
import { sectionsOf, sectionsOfChunks, withoutHeadings } from '../../../src/quality/sections.ts';
import { tempFolder } from '../../support/temp.ts';

async function read(uri: string, text: string) {
  const reader = createReader();
  try {
    return await reader.read({ bytes: Buffer.from(text), uri });
  } finally {
    await reader.close();
  }
}

const guide =
  '# The lighthouse\n\nSome words before.\n\n## Changing the oil\n\nDrain the tank first.\n\nThen fill it.\n\n### By night\n\nTake a lamp.\n';

describe('sections', () => {
  it('run from heading to heading, and slice back', async () => {
    const document = await read('a.md', guide);
    const sections = sectionsOf(document);
    expect(sections.map(({ heading, text }) => [heading, text])).toEqual([
      ['The lighthouse', 'Some words before.'],
      ['Changing the oil', 'Drain the tank first.\n\nThen fill it.'],
      ['By night', 'Take a lamp.'],
    ]);
    for (const { start, text } of sections) expect(document.text.slice(start, start + text.length)).toBe(text);
  });

  it('lose headings without moving anything else, for the chunker too', async () => {
    const document = await read('a.md', guide);
    const [, second] = sectionsOf(document);
    const without = withoutHeadings(document, [second!.headingSpan!]);
    expect(without.text).toHaveLength(document.text.length);
    expect(without.text).not.toContain('oil');
    expect(without.text.indexOf('Drain')).toBe(document.text.indexOf('Drain'));
    const chunks = chunkDocument(without, { maxTokens: 20 });
    expect(chunks.map(({ text }) => text).join('')).toBe(without.text);
    expect(chunks.flatMap(({ headings }) => headings)).not.toContain('Changing the oil');
    expect(chunkDocument(document, { maxTokens: 20 }).flatMap(({ headings }) => headings)).toContain(
      'Changing the oil',
    );
  });

  it('come from chunks as far as their headings tell', async () => {
    const chunk = (uri: string, heading: string, start: number, text: string) => ({
      uri,
      title: 'T',
      ...(heading === '' ? {} : { heading }),
      span: { start, end: start + text.length },
      text,
    });
    async function* given() {
      yield chunk('a', 'One', 0, 'abc ');
      yield chunk('a', 'One', 4, 'def');
      yield chunk('a', 'One › Two', 7, 'ghi');
      yield chunk('b', '', 0, 'jkl');
    }
    const sections = [];
    for await (const { uri, heading, start, text } of sectionsOfChunks(given()))
      sections.push([uri, heading, start, text]);
    expect(sections).toEqual([
      ['a', 'One', 0, 'abc def'],
      ['a', 'Two', 7, 'ghi'],
      ['b', '', 0, 'jkl'],
    ]);
  });
});

const syllables = 'ba ke lo mi nu pa re so ti vu'.split(' ');
const vocabulary = syllables.flatMap((a) => syllables.flatMap((b) => ['nd', 'rk'].map((end) => `${a}${b}${end}`)));

/**
 * Documents of invented words, each section with a heading of its own but for the questions that all have, and a copied
 * licence.
 */
function feed(maker: QuestionMaker, documents: number): void {
  const next = seededRandom(5);
  const word = (): string => vocabulary[Math.floor(next() * vocabulary.length)]!;
  const words = (count: number): string => Array.from({ length: count }, word).join(' ');
  const prose = (): string => Array.from({ length: 3 }, () => `The ${words(6)} and its ${words(5)}.`).join(' ');
  const copied = 'This boilerplate sentence stands in every single document of the folder and nobody reads it.';
  for (let d = 0; d < documents; d++) {
    const section = (heading: string, start: number, text: string): void =>
      maker.add({ uri: `d${d}.md`, title: `Doc ${d}`, heading, start, text });
    section(`Care of ${words(2)}`, 10, prose());
    section('Frequently asked questions', 1000, prose());
    section(`Licence ${words(2)}`, 5000, `${copied} ${copied}`);
  }
}

describe('QuestionMaker', () => {
  const made = (limit: number, documents = 30) => {
    const maker = new QuestionMaker();
    feed(maker, documents);
    return maker.make(limit);
  };

  it('makes the same questions of the same documents, of both kinds, spread over them', () => {
    const questions = made(40);
    expect(made(40)).toEqual(questions);
    expect(questions).toHaveLength(40);
    const kinds = questions.map(({ question }) => question.kind);
    expect(kinds.filter((kind) => kind === 'heading')).toHaveLength(20);
    expect(new Set(questions.map(({ uri }) => uri)).size).toBeGreaterThan(15);
    expect(new Set(questions.map(({ question }) => question.id)).size).toBe(40);
  });

  it('asks in a few words of the sentence that stand elsewhere too', () => {
    const keywords = made(40).filter(({ question }) => question.kind === 'keywords');
    for (const { question, text } of keywords) {
      const words = question.question.split(' ');
      expect(words.length).toBeGreaterThanOrEqual(3);
      expect(words.length).toBeLessThanOrEqual(4);
      let at = -1;
      for (const word of words) {
        expect(text.indexOf(word, at + 1)).toBeGreaterThan(at); // in their order
        at = text.indexOf(word, at + 1);
      }
      expect(text.length).toBeGreaterThan(question.question.length * 1.5);
    }
  });

  it('leaves out headings that stand twice, and what is copied from document to document', () => {
    for (const { question, text } of made(1000)) {
      expect(question.question).not.toBe('Frequently asked questions');
      expect(question.question).not.toContain('Licence');
      expect(text).not.toContain('boilerplate');
    }
  });
});

describe('splitQuestions', () => {
  it('puts all questions of a document into one half, and the halves are about equal', () => {
    const questions = Array.from({ length: 90 }, (_, i) =>
      judgedQuestion('own', `q${i}`, [{ uri: `d${(i * i) % 23}` }]),
    );
    const { tune, heldOut } = splitQuestions(questions);
    expect([...tune, ...heldOut].sort((a, b) => a - b)).toEqual(questions.map((_, i) => i));
    expect(Math.abs(tune.length - heldOut.length)).toBeLessThanOrEqual(9);
    const uris = (half: readonly number[]) => new Set(half.map((i) => questions[i]!.evidence[0]!.uri));
    expect([...uris(tune)].filter((uri) => uris(heldOut).has(uri))).toEqual([]);
  });

  it('splits single questions where there are few documents, or none named', () => {
    for (const evidence of [{ uri: 'one.md', text: 'x' }, { text: 'x' }]) {
      const { tune, heldOut } = splitQuestions(
        Array.from({ length: 20 }, (_, i) => judgedQuestion('own', `q${i}`, [evidence])),
      );
      expect([tune.length, heldOut.length]).toEqual([10, 10]);
    }
  });
});

describe('question files', () => {
  const readText = (text: string) => {
    const path = join(tempFolder(), 'q.jsonl');
    writeFileSync(path, text);
    return readQuestionFile(path);
  };

  it('are read as they are written', () => {
    const text =
      '\uFEFF{"question":" Who? ","uri":"a.md","text":"Ines"}\n\n{"question":"Where?","evidence":[{"uri":"a.md","span":{"start":0,"end":4}},{"text":"pier"}]}\r\n';
    const questions = readText(text);
    expect(questions).toMatchObject([
      { kind: 'own', question: 'Who?', evidence: [{ uri: 'a.md', text: 'Ines' }] },
      { question: 'Where?', evidence: [{ uri: 'a.md', span: { start: 0, end: 4 } }, { text: 'pier' }] },
    ]);
    expect(readText(formatQuestions(questions))).toEqual(questions);
    expect(questionSetHash([...questions].reverse())).toBe(questionSetHash(questions));
    expect(questionSetHash(questions.slice(1))).not.toBe(questionSetHash(questions));
  });

  it('are refused by line and field', () => {
    const good = '{"question":"Who?","uri":"a"}\n';
    for (const [line, said] of [
      ['{"question":"Who?"}', 'line 2: neither "uri" nor "text"'],
      ['{"question":"","uri":"a"}', 'line 2: "question" is missing or empty'],
      ['{"question":"x","uri":""}', 'line 2: "uri" is not a text'],
      ['{"question":"x","text":"y","span":{"start":0,"end":1}}', '"span" needs the "uri"'],
      ['{"question":"x","uri":"a","span":{"start":3,"end":3}}', 'start below end'],
      ['{"question":"x","evidence":[]}', '"evidence" must be a list'],
      ['[1]', 'not a JSON object'],
      ['{"question"', 'line 2: not JSON'],
    ] as const) {
      expect(() => readText(good + line), line).toThrow(said);
    }
    expect(() => readText('\n \n')).toThrow('there are no questions');
    expect(() => readQuestionFile('/nowhere/q.jsonl')).toThrow(expect.objectContaining({ code: 'FILE_UNREADABLE' }));
  });
});
