import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type DemoQuestion, makeFiles } from '../../../datasets/make-demo.ts';
import { isRecordingName } from '../../../src/read/names.ts';
import { createReader } from '../../../src/read/reader.ts';
import { transcriptBeside } from '../../../src/read/recording/beside.ts';

const datasets = resolve(import.meta.dirname, '../../../datasets');
const demo = join(datasets, 'demo');
const questions = (await readFile(join(datasets, 'demo-questions/questions.jsonl'), 'utf8'))
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as DemoQuestion); // its fields are what this test checks
const documents = (await readdir(demo, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => relative(demo, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));

describe('the demo collection', () => {
  it('has a few dozen documents in many formats', () => {
    expect(documents).toHaveLength(48); // two are recordings, with their captions beside them
    const formats = new Set(documents.map((uri) => uri.split('.').at(-1)));
    expect([...formats].sort()).toEqual(
      [
        'csv',
        'docx',
        'eml',
        'html',
        'ipynb',
        'json',
        'md',
        'mp3',
        'ogg',
        'pdf',
        'py',
        'srt',
        'ts',
        'txt',
        'vtt',
        'xlsx',
      ].sort(),
    );
  });

  it('what is made is what make-demo.ts makes', async () => {
    for (const [path, content] of await makeFiles()) {
      expect(Buffer.from(content).equals(await readFile(join(datasets, path))), path).toBe(true);
    }
  });
});

describe('the demo questions', () => {
  it('are 54 answerable and 16 unanswerable ones with ids of their own', () => {
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
    expect(questions.filter(({ answerable }) => answerable)).toHaveLength(54);
    expect(questions.filter(({ answerable }) => !answerable)).toHaveLength(16);
    expect(new Set(questions.map(({ question }) => question)).size).toBe(questions.length);
  });

  it('have answers and spans exactly when they are answerable, and name documents that exist', () => {
    for (const { id, question, answerable, answers, spans, related = [], kind } of questions) {
      expect(question.trim(), id).not.toBe('');
      expect(answers.length > 0, id).toBe(answerable);
      expect(spans.length > 0, id).toBe(answerable);
      expect(kind === 'lookalike' || kind === 'offtopic', id).toBe(!answerable);
      for (const uri of [...spans.map((span) => span.uri), ...related]) expect(documents, id).toContain(uri);
      for (const uri of related)
        expect(
          spans.map((span) => span.uri),
          id,
        ).not.toContain(uri);
    }
  });

  it('ask about at least half of the documents', () => {
    expect(new Set(questions.flatMap(({ spans }) => spans.map(({ uri }) => uri))).size).toBeGreaterThan(
      documents.length / 2,
    );
  });

  it('lie outside the folder that is ingested', () => {
    expect(documents.filter((uri) => uri.includes('question') || uri.includes('qrels'))).toEqual([]);
  });
});

describe('gold quotes', () => {
  const reader = createReader();
  afterAll(() => reader.close());

  it.each(documents)('%s is read, and each quote occurs in it exactly once', async (uri) => {
    const names = new Set(documents.filter((name) => dirname(name) === dirname(uri)).map((name) => basename(name)));
    const beside = isRecordingName(uri) ? transcriptBeside(basename(uri), names)?.transcript : undefined;
    const recording = beside === undefined ? {} : { beside: join(demo, dirname(uri), beside) };
    const { text } = await reader.read({ path: join(demo, uri), uri }, { recording });
    expect(text.trim()).not.toBe('');
    for (const { id, spans } of questions) {
      for (const { quote } of spans.filter((span) => span.uri === uri)) {
        expect(text.split(quote).length - 1, `${id}: "${quote}"`).toBe(1);
      }
    }
  });
});
