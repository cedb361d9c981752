import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, citationOf, type HistoryTurn, IbidError } from '../index.ts';
import { isRemoteAddress } from './config/remote.ts';
import { appendText, checkAppendable, readText } from './files.ts';

/** A conversation that is kept in a file, one turn a line. */
export interface Conversation {
  readonly turns: readonly HistoryTurn[];
  add(question: string, answer: Answer): void;
}

const FILE = 'conversation.jsonl';

/** The last conversation on a local index. Undefined for one that is elsewhere. */
function conversationFile(address: string): string | undefined {
  if (isRemoteAddress(address) || !statSync(address, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  return join(address, FILE);
}

/**
 * The conversation a question belongs to: `--history`, the last one with `--continue`, else a new one. @throws
 * IbidError INVALID_ARGUMENT, FILE_UNREADABLE
 */
export function conversationOf(
  { history, continue: goesOn }: { readonly history?: string; readonly continue?: boolean },
  address: string,
): Conversation {
  if (history !== undefined) return openConversation(history);
  const last = conversationFile(address);
  if (!goesOn) return newConversation(last);
  if (last === undefined)
    throw new IbidError('INVALID_ARGUMENT', '--continue needs an index in a local folder', {
      hint: 'Use --history FILE.',
    });
  try {
    return openConversation(last);
  } catch (error) {
    if (!(error instanceof IbidError) || error.code !== 'FILE_UNREADABLE') throw error;
    throw new IbidError(error.code, error.message, {
      cause: error,
      hint: 'Keep the conversation elsewhere: --history FILE.',
    });
  }
}

/** @throws IbidError INVALID_ARGUMENT naming the line, FILE_UNREADABLE also where nothing can be added */
function openConversation(path: string): Conversation {
  const turns = readTurns(path);
  checkAppendable(path); // an answer may cost, and is to be in its conversation
  return {
    turns,
    add: (question, answer) => appendText(path, linesOf(question, answer)),
  };
}

/**
 * A new conversation in the place of the last one. Where nothing may be written, there is nothing to continue later.
 */
export function newConversation(path: string | undefined): Conversation {
  let isFirst = true;
  return {
    turns: [],
    add: (question, answer) => {
      try {
        if (path !== undefined) writeFileSync(path, linesOf(question, answer), { flag: isFirst ? 'w' : 'a' });
        isFirst = false;
      } catch {}
    },
  };
}

/** Of the passages only the references: what they say is read from the index when the conversation goes on. */
function linesOf(question: string, { answer, hits, grounding }: Answer): string {
  const passages = hits.length > 0 ? { passages: hits.map(citationOf) } : {};
  const looked = grounding?.looked ? { looked: grounding.looked } : {};
  const turns: HistoryTurn[] = [
    { role: 'user', text: question, ...passages, ...looked },
    { role: 'assistant', text: answer },
  ];
  return turns.map((turn) => `${JSON.stringify(turn)}\n`).join('');
}

function readTurns(path: string): HistoryTurn[] {
  return (readText(path) ?? '')
    .split('\n')
    .flatMap((line, i) => (line.trim() === '' ? [] : [turnOf(path, line, i + 1)]));
}

function turnOf(path: string, line: string, number: number): HistoryTurn {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {}
  const { role, text, passages, looked } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  const isList =
    passages === undefined || (Array.isArray(passages) && passages.every((one) => typeof one === 'string'));
  const areLooked = looked === undefined || (Array.isArray(looked) && looked.every(isLookedAt));
  if ((role === 'user' || role === 'assistant') && typeof text === 'string' && isList && areLooked)
    return { role, text, ...(passages ? { passages } : {}), ...(looked ? { looked } : {}) };
  throw new IbidError('INVALID_ARGUMENT', `${path}: line ${number} is no turn of a conversation`, {
    hint: 'A line is {"role": "user" or "assistant", "text": "…"}, and may have "passages", a list of references.',
  });
}

function isLookedAt(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('reference' in value)) return false;
  const page = 'page' in value ? value.page : undefined;
  return typeof value.reference === 'string' && (page === undefined || Number.isSafeInteger(page));
}
