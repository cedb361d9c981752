import type { Citation, Computation } from '../../answer/contract.ts';
import type { Span } from '../../core/types.ts';
import { optionalNumber, optionalText, records } from '../../wire/search/parse.ts';
import type { KeptRun } from '../runs/journal.ts';
import type { ResearchFunctions } from './functions.ts';

/** A number of the code that stands in the passage its line names. */
interface ProvenInput {
  readonly value: string;
  /** As the answer's text cites it: `[s1.2]`. */
  readonly mark: string;
  readonly uri: string;
  readonly passage: Span;
}

interface FoundComputation {
  readonly shown: Omit<Computation, 'inputs'>;
  readonly inputs: readonly ProvenInput[];
}

const MARK = /\[\s*([a-z]+\d+)\.(\d+)\s*\]/g;
const NUMBER = /(?<![\p{L}\p{N}_.])\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?/gu;
const WRITTEN = /\d+(?:[,.\u00a0\u202f’' ]\d+)*/g;

/** Code that ran in the sandbox, its numbers compared with the passages they are said to come from. */
export function computationsOf(items: KeptRun['sandbox'], functions: ResearchFunctions): readonly FoundComputation[] {
  return items.map((item) => {
    const code = optionalText(item.code) ?? '';
    const results = records(item.results);
    const joined = (field: string): string => results.map((one) => optionalText(one[field]) ?? '').join('');
    const lines = code.split('\n').map((line) => readLine(line, functions));
    return {
      shown: {
        language: optionalText(item.language) ?? 'python',
        code,
        output: joined('stdout'),
        errors: joined('stderr'),
        exitCode: results.map((one) => optionalNumber(one.exit_code) ?? 0).find((status) => status !== 0) ?? 0,
        unproven: [...new Set(lines.flatMap(({ unproven }) => unproven))],
      },
      inputs: lines.flatMap(({ inputs }) => inputs),
    };
  });
}

/** What the answer says of its computations: the numbers that went in, each behind its mark. */
export function toldComputations(computations: readonly FoundComputation[]): string {
  return computations
    .filter(({ inputs }) => inputs.length > 0)
    .map(({ inputs }) => `\n\nComputed from ${inputs.map(({ value, mark }) => `${value} ${mark}`).join(' and ')}.`)
    .join('');
}

/** With the numbers of the citations, which the answer's text has given by now. */
export function citedComputations(
  computations: readonly FoundComputation[],
  citations: readonly Citation[],
): readonly Computation[] {
  return computations.map(({ shown, inputs }) => ({
    ...shown,
    inputs: inputs.flatMap(({ value, uri, passage }) => {
      const cited = citations.find(
        ({ uri: at, span }) => at === uri && span.start >= passage.start && span.end <= passage.end,
      );
      return cited ? [{ value, n: cited.n }] : [];
    }),
  }));
}

function readLine(line: string, functions: ResearchFunctions): { inputs: ProvenInput[]; unproven: string[] } {
  const comment = line.indexOf('#');
  const code = comment < 0 ? line : line.slice(0, comment);
  const marks = comment < 0 ? [] : [...line.slice(comment).matchAll(MARK)];
  const inputs: ProvenInput[] = [];
  const unproven: string[] = [];
  for (const [value] of code.matchAll(NUMBER)) {
    const proven = marks.flatMap(([, source, digits]): ProvenInput[] => {
      const passage = functions.passage(source!, Number(digits));
      if (!passage || !holds(passage.text, value)) return [];
      return [{ value, mark: `[${source}.${digits}]`, uri: passage.uri, passage: passage.span }];
    });
    if (proven.length > 0) inputs.push(proven[0]!);
    else unproven.push(value);
  }
  return { inputs, unproven };
}

/** Whether a text writes a number, in any of the usual spellings of thousands and decimals. */
function holds(text: string, value: string): boolean {
  const wanted = Number(value.replaceAll('_', ''));
  return [...text.matchAll(WRITTEN)].some(([written]) => readings(written).includes(wanted));
}

/** `1,234.5` is 1234.5; `1,234` is 1234 or, with a comma for its decimals, 1.234. Of a list of numbers, each. */
function readings(written: string): number[] {
  const plain = written.replace(/[\u00a0\u202f’' ]/g, '');
  const parts = written.split(/[^\d]+/).map(Number);
  return [plain.replaceAll(',', ''), plain.replaceAll('.', '').replace(',', '.')].map(Number).concat(parts);
}
