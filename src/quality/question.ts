import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { listOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import { isRecord } from '../core/records.ts';
import type { Span } from '../core/types.ts';

/** One relevant place of a question: a document, a span of its text, or a text wherever it occurs. */
export interface Judgement {
  /** Absent: `text` may stand in any document. */
  readonly uri?: string;
  readonly span?: Span;
  /** Compared without regard to case and white space. */
  readonly text?: string;
}

/**
 * `heading`: a heading taken out of its document, which leads to its section. `keywords`: what is left of a sentence.
 * `own`: given.
 */
export type QuestionKind = 'heading' | 'keywords' | 'own';

/** A question, and the places in the documents that answer it. */
export interface JudgedQuestion {
  /** From the question and its evidence, so that the same question has the same id in every set. */
  readonly id: string;
  readonly kind: QuestionKind;
  readonly question: string;
  /** At least one; each counts as one thing to be found. */
  readonly evidence: readonly Judgement[];
}

/** A question with the places that answer it. Its id follows from both, so that the same question has it again. */
export function judgedQuestion(kind: QuestionKind, question: string, evidence: readonly Judgement[]): JudgedQuestion {
  return { id: digest(JSON.stringify([question, evidence])).slice(0, 12), kind, question, evidence };
}

/** Hex SHA-256 of a question set, whatever its order. */
export function questionSetHash(questions: readonly JudgedQuestion[]): string {
  return digest(
    questions
      .map(({ id }) => id)
      .sort()
      .join('\n'),
  );
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Reads a question file: one JSON object a line, `{"question", "uri"?, "span"?: {"start", "end"}, "text"?, "evidence"?:
 * […]}`. `uri`, `span` and `text` say where the one answer stands; `evidence` is a list of such objects where there are
 * several. Blank lines are passed over.
 * @throws IbidError FILE_UNREADABLE, INVALID_ARGUMENT naming the file, the line and the field
 */
export function readQuestionFile(path: string): JudgedQuestion[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (cause) {
    throw new IbidError('FILE_UNREADABLE', `the question file ${path} cannot be read`, {
      cause,
      hint: 'Name a file of JSON lines such as {"question": "…", "uri": "docs/a.md"}.',
    });
  }
  const questions = new Map<string, JudgedQuestion>();
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const question = parseLine(line, `${path}, line ${i + 1}`);
    questions.set(question.id, question); // a line given twice is one question
  }
  if (questions.size === 0) throw wrong(path, 'there are no questions');
  return [...questions.values()];
}

const HINT =
  'Each line: {"question": "…", "uri": "docs/a.md", "text": "words of the answer"}; uri or text may be left out.';

function wrong(where: string, what: string, cause?: unknown): IbidError {
  return new IbidError('INVALID_ARGUMENT', `${where}: ${what}`, { cause, hint: HINT });
}

function parseLine(line: string, where: string): JudgedQuestion {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw wrong(where, 'not JSON', cause);
  }
  if (!isRecord(value)) throw wrong(where, 'not a JSON object');
  const { question, evidence = [value] } = value;
  if (typeof question !== 'string' || question.trim() === '') throw wrong(where, '"question" is missing or empty');
  if (!Array.isArray(evidence) || evidence.length === 0)
    throw wrong(where, '"evidence" must be a list of at least one');
  return judgedQuestion(
    'own',
    question.trim(),
    evidence.map((one: unknown) => parseEvidence(one, where)),
  );
}

function parseEvidence(value: unknown, where: string): Judgement {
  if (!isRecord(value)) throw wrong(where, '"evidence" holds something that is not an object');
  const { uri, span, text } = value;
  for (const [name, field] of Object.entries({ uri, text })) {
    if (field !== undefined && (typeof field !== 'string' || field.trim() === ''))
      throw wrong(where, `"${name}" is not a text, or empty`);
  }
  if (uri === undefined && text === undefined)
    throw wrong(where, 'neither "uri" nor "text" says where the answer stands');
  if (span !== undefined && uri === undefined) throw wrong(where, '"span" needs the "uri" it is a span of');
  return {
    ...(typeof uri === 'string' ? { uri } : {}),
    ...(span === undefined ? {} : { span: parseSpan(span, where) }),
    ...(typeof text === 'string' ? { text } : {}),
  };
}

function parseSpan(value: unknown, where: string): Span {
  const { start, end } = isRecord(value) ? value : {};
  if (
    !Number.isSafeInteger(start) ||
    !Number.isSafeInteger(end) ||
    (start as number) < 0 ||
    (end as number) <= (start as number)
  )
    throw wrong(where, '"span" must be {"start", "end"}, whole numbers, start below end');
  return { start: start as number, end: end as number }; // isSafeInteger has said so
}

/** One question a line, as `readQuestionFile` reads them. */
export function formatQuestions(questions: readonly JudgedQuestion[]): string {
  return listOf(questions, 'questions')
    .map(({ question, evidence }) =>
      JSON.stringify(evidence.length === 1 ? { question, ...evidence[0] } : { question, evidence }),
    )
    .map((line) => `${line}\n`)
    .join('');
}
