import { afterEach, describe, expect, it, vi } from 'vitest';
import { printAnswer, printSources } from '../../src/cli/asking.ts';
import type { Answer, AnswerEvent, Citation, RelatedPassage } from '../../src/index.ts';

const quote = 'The  moat is 12 metres wide.';
const passage = {
  reference: 'moat.md#0-28',
  uri: 'moat.md',
  title: 'Moat',
  quote,
  span: { start: 0, end: quote.length },
  place: {},
  headings: [],
  verified: true,
  origin: 'local',
} as const;
const citation: Citation = {
  ...passage,
  n: 1,
  answerSpan: { start: 0, end: 27 },
  highlight: [{ start: quote.indexOf('12'), end: quote.indexOf(' wide') }],
};
const related: RelatedPassage = { ...passage, n: 2, quote: 'It was dug in 1402.', text: 'Moat: It was dug in 1402.' };
const answer: Answer = {
  question: 'How wide is the moat?',
  mode: 'extractive',
  answer: 'The moat is 12 metres wide. [1]',
  abstained: false,
  confidence: 'high',
  support: 0.9,
  citations: [citation],
  related: [related],
  hits: [],
};

async function* events(): AsyncGenerator<AnswerEvent> {
  yield { type: 'citation', citation };
  yield { type: 'text', text: answer.answer };
  yield { type: 'done', answer };
}

describe('an answer on a terminal', () => {
  const written: string[] = [];
  const { isTTY } = process.stdout;
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    process.stdout.isTTY = isTTY;
    written.length = 0;
  });

  async function print(tty: boolean, from = events()): Promise<string> {
    vi.stubEnv('NO_COLOR', '');
    vi.stubEnv('TERM', 'xterm');
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    vi.spyOn(console, 'log').mockImplementation((text = '') => void written.push(`${text}\n`));
    process.stdout.isTTY = tty;
    await printAnswer(from, 'streamed');
    printSources(answer);
    return written.join('');
  }

  it('marks the words of a quote in capitals in an answer in small letters', async () => {
    const shouted = { ...citation, quote: quote.toUpperCase() };
    async function* said(): AsyncGenerator<AnswerEvent> {
      yield { type: 'citation', citation: shouted };
      yield { type: 'text', text: answer.answer };
      yield { type: 'done', answer };
    }
    expect(await print(true, said())).toContain('The moat is \u001b[1m12 metres\u001b[22m wide. [1]\n');
  });

  it('marks words that lose marks of Markdown', async () => {
    const marked = 'The `moat` and `dam` rules.';
    async function* all(): AsyncGenerator<AnswerEvent> {
      const highlight = [{ start: 5, end: marked.indexOf('` rules') }];
      const one = { ...citation, quote: marked, span: { start: 0, end: marked.length }, highlight };
      yield { type: 'citation', citation: { ...one, answerSpan: { start: 0, end: 23 } } };
      yield { type: 'text', text: 'The moat and dam rules. [1]' };
      yield { type: 'done', answer };
    }
    expect(await print(true, all())).toContain('The \u001b[1mmoat and dam\u001b[22m rules. [1]\n');
  });

  it('marks the words where they stand in the quote, not where else the answer has them', async () => {
    const long = '1. In 1402 or so, sergeants dug pump(8), **moat**(8) and (8).';
    const said = 'In 1402 or so, sergeants dug pump(8), moat(8) and (8).';
    const start = long.indexOf('8)', long.indexOf('moat'));
    const sought: Citation = {
      ...citation,
      quote: long,
      span: { start: 100, end: 100 + long.length },
      answerSpan: { start: 8, end: 8 + said.length },
      highlight: [{ start: 100 + start, end: 101 + start }],
    };
    async function* all(): AsyncGenerator<AnswerEvent> {
      yield { type: 'citation', citation: sought };
      yield { type: 'text', text: `List 8: ${said} [1]` };
      yield { type: 'done', answer };
    }
    expect(await print(true, all())).toContain('pump(8), moat(\u001b[1m8\u001b[22m) and (8). [1]\n');
  });

  it('has the words that were asked for in bold, and nowhere else', async () => {
    expect(await print(true)).toContain('The moat is \u001b[1m12 metres\u001b[22m wide. [1]\n');
    written.length = 0;
    expect(await print(false)).toContain('The moat is 12 metres wide. [1]\n');
  });

  it('does not repeat a quote that says no more than the answer', async () => {
    const listed = { ...citation, quote: '2. The moat is 12 metres wide.[9]', highlight: [] };
    vi.spyOn(console, 'log').mockImplementation((line = '') => void written.push(`${line}\n`));
    printSources({ ...answer, citations: [listed], related: [] });
    printSources({ ...answer, citations: [{ ...listed, quote: 'The moat is 13 metres wide.' }], related: [] });
    expect(written.join('').match(/“.*”/g)).toEqual(['“The moat is 13 metres wide.”']);
  });

  it('has related passages apart, behind the sources of the answer', async () => {
    const text = await print(false);
    expect(text).toMatch(
      /\[1\] moat\.md#0-28 {2}Moat\n\nRelated passages:\n\[2\] moat\.md#0-28 {2}Moat\n {4}Moat: It was dug in 1402\.\n/,
    );
  });
});
