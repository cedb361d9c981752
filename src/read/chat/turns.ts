import { isRecord } from '../../core/records.ts';
import { normaliseText } from '../../text/normalise.ts';

/** One message of a chat. */
export interface Turn {
  /** As the export writes it: the order of day and month differs by the phone's language, so it is not guessed. */
  readonly day: string;
  readonly time: string;
  /** '' for messages of the system. */
  readonly who: string;
  readonly text: string;
  readonly id?: string | undefined;
  /** The message that this one answers, or the first of its thread. */
  readonly answers?: string | undefined;
  /** Says which message that is, where it may stand in another file. */
  readonly answered?: string | undefined;
}

/** Each thread in one place, where its first message stands; answers in their order. */
export function threadsOf(turns: readonly Turn[]): readonly (readonly Turn[])[] {
  const roots = new Map<string, string>();
  const groups = new Map<string, Turn[]>();
  for (const [i, turn] of turns.entries()) {
    const own = turn.id ?? `#${i}`;
    const asked = turn.answers === undefined || turn.answers === turn.id ? own : turn.answers;
    const root = roots.get(asked) ?? asked;
    roots.set(own, root);
    const group = groups.get(root);
    if (group) group.push(turn);
    else groups.set(root, [turn]);
  }
  return [...groups.values()];
}

export function firstText(...candidates: readonly unknown[]): string | undefined {
  return candidates.find((candidate): candidate is string => typeof candidate === 'string' && candidate !== '');
}

/** Without the direction marks that exports sprinkle in. */
export function clean(text: string): string {
  return normaliseText(text)
    .replace(/[\u200e\u200f]/g, '')
    .trim();
}

export function recordsOf(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
