import type { Answer, AnswerEvent } from '../answer/contract.ts';
import type { HistoryTurn } from '../answer/grounded/request.ts';
import { listsOf, objectOf, optionsOf, wordsOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import type { Task } from '../core/task.ts';
import { answerQuestion } from '../modes/ask.ts';
import { type AskOptions, isFree, type ResumeOptions } from '../modes/options.ts';
import type { QuestionContext } from '../modes/question-search.ts';
import type { RunJournal } from '../modes/runs/journal.ts';
import { askedOf } from '../modes/runs/run-log.ts';
import type { OverviewEvent, OverviewOptions } from '../overview/contract.ts';
import { type OverviewContext, overviewEvents } from '../overview/overview.ts';
import { askOptions } from './known-options.ts';
import type { Views } from './scope.ts';

/** Answers a question; what costs nothing is asked again where a writer has replaced what it reads. */
export async function* askEvents(
  views: Views,
  canWrite: boolean,
  context: () => Promise<QuestionContext>,
  question: string,
  options: AskOptions,
): AsyncGenerator<AnswerEvent, void, undefined> {
  wordsOf(question, 'the question');
  listsOf(optionsOf(options, askOptions), ['fallback', 'history']);
  for (const [i, mode] of (options.fallback ?? []).entries())
    if (typeof mode !== 'string') optionsOf(objectOf(mode, `fallback[${i}]`), askOptions);
  options.history?.forEach(checkTurn);
  if (!isFree(options, canWrite)) return yield* answerQuestion(await context(), question, options);
  const events = await views.withView(
    async (view) => Array.fromAsync(answerQuestion({ ...(await context()), view }, question, options)),
    { signal: options.signal },
  );
  for (const event of events) {
    options.signal?.throwIfAborted();
    yield event;
  }
}

/** The names of other libraries, such as `content`, are what JavaScript lets through. */
function checkTurn(turn: HistoryTurn, i: number): void {
  const { role, text } = turn ?? {};
  if ((role === 'user' || role === 'assistant') && typeof text === 'string') return;
  throw new IbidError('INVALID_ARGUMENT', `history[${i}] is no turn of a conversation`, {
    hint: 'Each turn has a role, which is user or assistant, and a text.',
  });
}

/** Goes on with the question of a journal. */
export async function* resumeEvents(
  index: { ask(question: string, options: AskOptions): Task<AnswerEvent, Answer> },
  journal: RunJournal,
  options: ResumeOptions,
): AsyncGenerator<AnswerEvent, void, undefined> {
  optionsOf(options);
  const asked = await askedOf(journal);
  const budget = options.budget ?? asked.budgetUsd;
  // the options of a mode, as `ask` has written them down
  yield* index.ask(asked.question, { ...asked.options, ...options, budget, journal } as AskOptions);
}

/** A conversation about the newest view. */
export async function* overviewOf(
  views: Views,
  { tuning, providers }: Omit<OverviewContext, 'view'>,
  options: OverviewOptions,
): AsyncGenerator<OverviewEvent, void, undefined> {
  yield* overviewEvents({ view: await views.view(), tuning, providers }, options);
}
