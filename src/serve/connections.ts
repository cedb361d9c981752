import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that wait for their answers. Browsers and libraries send the next one after the answer. */
const MOST_AT_A_TIME = 8;

/** Counts the requests of each connection: thousands fit into one packet, and each would be answered. */
export class Connections {
  readonly #open = new WeakMap<Socket, number>();

  /** @returns ends the request; undefined for one too many, with which the connection ends */
  enter({ socket }: IncomingMessage): (() => void) | undefined {
    const open = this.#open.get(socket) ?? 0;
    if (open >= MOST_AT_A_TIME) socket.destroy();
    if (socket.destroyed) return undefined;
    this.#open.set(socket, open + 1);
    return () => this.#open.set(socket, this.#open.get(socket)! - 1);
  }
}

/** Resolves when the client has taken an answer. After an abort, what it has not taken is dropped. */
export async function taken(response: ServerResponse, signal: AbortSignal): Promise<void> {
  if (response.writableFinished) return;
  await once(response, 'finish', { signal }).catch(() => response.destroy());
}
