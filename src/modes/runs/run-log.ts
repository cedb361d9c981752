import { IbidError } from '../../core/errors.ts';
import { type KeptOutput, memoryRunJournal, type RunEntry, type RunJournal, type RunStep } from './journal.ts';

type Step<Type extends RunStep['type']> = Extract<RunStep, { readonly type: Type }>;
export type Asked = Step<'asked'>;

/** One request of a run, as far as it is known. */
export interface LoggedRequest {
  readonly key: string;
  /** At most. */
  readonly usd: number;
  /** Absent: the process ended before the service had named it. */
  readonly id?: string | undefined;
  readonly ended?: Step<'ended'> | undefined;
  readonly outputs?: readonly KeptOutput[] | undefined;
}

/** What has happened to one question so far, and the journal that remembers it. */
export class RunLog {
  /** Whether another process can go on. */
  readonly isKept: boolean;
  readonly #journal: RunJournal;
  readonly #lock: AsyncDisposable | undefined;
  readonly #rounds = new Map<number, LoggedRequest>();
  /** Requests that may have been carried out and can never be found again. */
  readonly #lost: LoggedRequest[] = [];

  private constructor(journal: RunJournal | undefined, lock: AsyncDisposable | undefined, entries: readonly RunStep[]) {
    this.isKept = journal !== undefined;
    this.#journal = journal ?? memoryRunJournal();
    this.#lock = lock;
    for (const entry of entries) this.#take(entry);
  }

  /**
   * Begins a run, or goes on with one that the journal knows. A run of another mode for the same question, as after a
   * fallback, begins behind the one before it.
   * @throws IbidError NOT_READY when another process has it, INVALID_ARGUMENT when it is of another question
   */
  static async open(journal: RunJournal | undefined, asked: Omit<Asked, 'type' | 'at'>): Promise<RunLog> {
    const lock = await journal?.lock?.();
    try {
      const { asked: last, entries } = lastRun((await journal?.read()) ?? []);
      if (last && last.question !== asked.question)
        throw new IbidError('INVALID_ARGUMENT', 'the journal is of another question', {
          hint: 'Give each question a journal of its own.',
        });
      const before = last?.options.mode === asked.options.mode ? last : undefined;
      const missing = before?.functions.filter((name) => !asked.functions.includes(name)) ?? [];
      if (missing.length > 0)
        throw new IbidError('INVALID_ARGUMENT', `the run may call ${missing.join(', ')}, and it is not given`, {
          hint: 'Resume it with the same `functions`.',
        });
      const log = new RunLog(journal, lock, before ? entries : []);
      if (!before) await log.#append({ type: 'asked', at: new Date().toISOString(), ...asked });
      return log;
    } catch (error) {
      await lock?.[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** @param round from 1 */
  request(round: number): LoggedRequest | undefined {
    return this.#rounds.get(round);
  }

  /** All that are known, in their order. */
  get requests(): readonly LoggedRequest[] {
    return [...this.#rounds.values()];
  }

  /** The request that the service has named, and whose end is not known. */
  get underWay(): (LoggedRequest & { readonly id: string }) | undefined {
    for (const request of this.#rounds.values()) {
      const { id, ended } = request;
      if (id !== undefined && !ended) return { ...request, id };
    }
    return undefined;
  }

  /** Requests whose answer was lost with their process, each with what it may have cost. */
  get lost(): readonly LoggedRequest[] {
    return this.#lost;
  }

  /** Forgets requests that the service never named to us, where a second one would be another. */
  giveUpUnnamed(): void {
    for (const [round, request] of this.#rounds) {
      if (request.id !== undefined) continue;
      this.#lost.push(request);
      this.#rounds.delete(round);
    }
  }

  /** @param key the same for a request that is sent a second time, and carried out once */
  async sending(round: number, usd: number, key: string): Promise<void> {
    await this.#append({ type: 'sending', key, round, usd });
  }

  async started(key: string, id: string): Promise<void> {
    await this.#append({ type: 'started', key, id });
  }

  async refused(key: string): Promise<void> {
    await this.#append({ type: 'refused', key });
  }

  async ended(entry: Omit<Step<'ended'>, 'type'>): Promise<void> {
    await this.#append({ type: 'ended', ...entry });
  }

  async called(key: string, outputs: readonly KeptOutput[]): Promise<void> {
    await this.#append({ type: 'called', key, outputs });
  }

  async done(): Promise<void> {
    await this.#append({ type: 'done' });
  }

  async close(): Promise<void> {
    await this.#lock?.[Symbol.asyncDispose]();
  }

  async #append(entry: RunStep): Promise<void> {
    await this.#journal.append([{ ...entry }]);
    this.#take(entry);
  }

  #take(entry: RunStep): void {
    if (entry.type === 'asked' || entry.type === 'done') return;
    if (entry.type === 'sending') {
      const { key, round, usd } = entry;
      const before = this.#rounds.get(round);
      if (before && before.key !== key && before.id === undefined) this.#lost.push(before);
      this.#rounds.set(round, before?.key === key ? before : { key, usd });
      return;
    }
    const [round, request] = [...this.#rounds].find(([, { key }]) => key === entry.key) ?? [];
    if (round === undefined || !request) return;
    if (entry.type === 'refused') this.#rounds.delete(round);
    else if (entry.type === 'started') this.#rounds.set(round, { ...request, id: entry.id });
    else if (entry.type === 'ended') this.#rounds.set(round, { ...request, ended: entry });
    else this.#rounds.set(round, { ...request, outputs: entry.outputs });
  }
}

/** What a journal's run was asked. @throws IbidError INVALID_ARGUMENT for a journal without a run */
export async function askedOf(journal: RunJournal): Promise<Asked> {
  if (typeof journal?.read !== 'function')
    throw new IbidError('INVALID_ARGUMENT', 'what was given is no journal', {
      hint: 'Give the one that the question was asked with: fileRunJournal(path).',
    });
  const { asked } = lastRun(await journal.read());
  if (asked) return asked;
  throw new IbidError('INVALID_ARGUMENT', 'the journal holds no run');
}

function lastRun(entries: readonly RunEntry[]): {
  readonly asked: Asked | undefined;
  readonly entries: readonly RunStep[];
} {
  const steps = entries as readonly object[] as readonly RunStep[]; // only a log writes into a journal
  const from = steps.findLastIndex(({ type }) => type === 'asked');
  const first = steps[from];
  return { asked: first?.type === 'asked' ? first : undefined, entries: steps.slice(Math.max(0, from)) };
}
