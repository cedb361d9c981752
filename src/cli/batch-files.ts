import { type Answer, answerToJson, type BatchQuestion, type ErrorCode, IbidError } from '../index.ts';
import { appendText, readText, replaceFile } from './files.ts';
import { jsonText } from './text.ts';

/**
 * Questions of a file, one a line: `{"id": …, "question": …}`, or `{"question": …}`, which is called by its line.
 * @throws IbidError INVALID_ARGUMENT naming the line, FILE_UNREADABLE
 */
export function readQuestions(path: string): BatchQuestion[] {
  const text = readText(path);
  if (text === undefined) throw new IbidError('FILE_UNREADABLE', `"${path}" does not exist`);
  const questions = text.split('\n').flatMap((line, i): BatchQuestion[] => {
    if (line.trim() === '') return [];
    const value = objectOf(line);
    const id = value?.id ?? `line-${i + 1}`;
    const isId = typeof id === 'string' || typeof id === 'number';
    if (!isId || typeof value?.question !== 'string')
      throw new IbidError('INVALID_ARGUMENT', `${path}: line ${i + 1} is no question`, {
        hint: 'A line is {"id": "…", "question": "…"}.',
      });
    return [{ id: String(id), question: value.question }];
  });
  if (questions.length === 0) throw new IbidError('INVALID_ARGUMENT', `${path} holds no question`);
  return questions;
}

/** Answers as JSON lines. Each is on the disk before the next one is asked for. */
interface AnswerFile {
  /** Whether this question was answered by an earlier run. */
  has(question: BatchQuestion): boolean;
  answer(id: string, answer: Answer): void;
  fail(question: BatchQuestion, code: ErrorCode, message: string): void;
}

/**
 * Opens the answers of an earlier run to go on with, without those that failed and without a line that a crash has cut.
 * @throws IbidError INVALID_ARGUMENT for a file that is none of answers, FILE_UNREADABLE
 */
export function openAnswers(path: string): AnswerFile {
  const text = readText(path, true) ?? '';
  const lines = text.split('\n');
  const tail = lines.pop()!; // '' after a whole last line
  const kept = [...lines, ...(objectOf(tail) ? [tail] : [])].filter((line, i) => {
    if (line.trim() === '') return false;
    const value = objectOf(line);
    if (typeof value?.id === 'string' && typeof value.question === 'string') return value.error === undefined;
    throw new IbidError('INVALID_ARGUMENT', `${path}: line ${i + 1} is no answer of a batch`, {
      hint: 'Give another --output; nothing was written to this file.',
    });
  });
  const whole = kept.map((line) => `${line}\n`).join('');
  if (text !== '' && whole !== text) replaceFile(path, whole);
  // both fields were looked at
  const answered = new Set(kept.map((line) => keyOf(objectOf(line) as unknown as BatchQuestion)));
  const append = (value: object): void =>
    appendText(
      path,
      `${jsonText(value)}
`,
    );
  return {
    has: (question) => answered.has(keyOf(question)),
    answer: (id, answer) => append({ id, ...answerToJson(answer) }),
    fail: ({ id, question }, code, message) => append({ id, question, error: { code, message } }),
  };
}

function keyOf({ id, question }: BatchQuestion): string {
  return `${id}\n${question}`;
}

function objectOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
