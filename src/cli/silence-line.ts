import type { AnswerEvent, Silence } from '../index.ts';
import { dim, printable } from './text.ts';

type Waiting = Extract<AnswerEvent, { readonly type: 'waiting' }>;

const clearLine = '\r\u001b[2K';

/** On a terminal, the line that says that a service has been silent: written again as it lasts, gone when it is over. */
export class SilenceLine {
  readonly #isOn: boolean;
  #isShown = false;

  constructor(isWanted: boolean) {
    this.#isOn = isWanted && process.stderr.isTTY && process.env.TERM !== 'dumb';
  }

  /** @param isInLine whether the answer stands in the line where the cursor is */
  tell({ service, silentMs, limitMs }: Silence, isInLine: boolean): void {
    if (silentMs === 0) this.clear();
    if (silentMs === 0) return;
    const end = limitMs > 0 ? `; it is given up after ${limitMs / 1000} s` : '';
    this.#show(`the ${printable(service)} service has sent nothing for ${silentMs / 1000} s${end}`, isInLine);
  }

  /** A line for work that is waited for: its time so far and the status that the service gives. */
  wait({ status, elapsedMs }: Waiting, isInLine: boolean): void {
    this.#show(`waiting for the service for ${Math.round(elapsedMs / 1000)} s: ${printable(status)}`, isInLine);
  }

  #show(text: string, isInLine: boolean): void {
    if (!this.#isOn) return;
    const start = this.#isShown ? clearLine : isInLine ? '\n' : '';
    process.stderr.write(start + dim(text, process.stderr));
    this.#isShown = true;
  }

  clear(): void {
    if (this.#isShown) process.stderr.write(clearLine);
    this.#isShown = false;
  }
}
