import { definedOnly } from '../../core/records.ts';
import { refuse, requireText } from '../http/check.ts';
import type { Operation, Socket, WireCallOptions } from '../http/contract.ts';
import { WireError } from '../http/errors.ts';
import type { AudioContext } from './context.ts';
import { type LiveRequest, type LiveText, prepareLive, send, textMessages, WordBuffer } from './live.ts';
import { type LiveChunk, LiveReader } from './live-message.ts';
import { checkVoiceSettings, type VoiceSettings } from './speech-request.ts';

export type LiveMultiRequest = LiveRequest;

/**
 * One WebSocket that speaks several texts at once. Sending and hearing are the caller's: send into contexts from
 * anywhere, and iterate over the session to hear all of them, told apart by `contextId`. The iteration ends when the
 * session is closed.
 */
export interface LiveMultiSession extends AsyncIterable<LiveChunk>, AsyncDisposable {
  /** Starts a context; its settings go before those of the session. */
  open(contextId: string, settings?: VoiceSettings): Promise<void>;
  /** Opens the context when it is new. */
  send(contextId: string, text: LiveText): Promise<void>;
  /** Keeps a context from timing out. */
  keepAlive(contextId: string): Promise<void>;
  /** Speaks what is left of a context, then ends it. */
  finish(contextId: string): Promise<void>;
  /** Finishes every context and asks the service to close; keep iterating to hear the rest. */
  end(): Promise<void>;
  /** Closes at once. */
  close(): Promise<void>;
}

/** Behind `speech.liveMulti`. */
export async function openLiveMulti(
  context: AudioContext,
  operation: Operation,
  request: LiveMultiRequest,
  options?: WireCallOptions,
): Promise<LiveMultiSession> {
  const { call, format, opener, named, keepAliveMs } = prepareLive(context, request);
  const socket = await context.transport.socket(operation, { ...call, options });
  const reader = new LiveReader(operation, format);
  const contexts = new Map<string, { readonly buffer: WordBuffer; lastSent: number }>();
  let ended = false;

  const post = async (contextId: string, fields: Readonly<Record<string, unknown>>): Promise<void> => {
    const state = contexts.get(contextId);
    if (state !== undefined) state.lastSent = Date.now();
    await send(socket, { ...fields, context_id: contextId });
  };
  const timer = setInterval(() => {
    for (const [contextId, { lastSent }] of contexts) {
      if (Date.now() - lastSent >= keepAliveMs) post(contextId, { text: '' }).catch(() => {}); // a dead socket is told by the iteration
    }
  }, keepAliveMs / 4);
  timer.unref();

  const session: LiveMultiSession = {
    async open(contextId, settings) {
      requireText('contextId', contextId);
      if (ended) refuse('contextId', 'the session has ended');
      if (contexts.has(contextId)) refuse('contextId', `"${contextId}" is open already`);
      const checked = checkVoiceSettings(context, settings, named.model, 'settings');
      contexts.set(contextId, { buffer: new WordBuffer(), lastSent: Date.now() });
      await post(contextId, {
        text: ' ',
        ...opener,
        ...definedOnly({ voice_settings: checked ?? opener.voice_settings }),
      });
    },
    async send(contextId, text) {
      if (!contexts.has(contextId)) await session.open(contextId);
      const { buffer } = contexts.get(contextId)!; // opened above
      for (const message of textMessages(buffer, text)) await post(contextId, message);
    },
    keepAlive: (contextId) => post(contextId, { text: '' }),
    async finish(contextId) {
      const state = contexts.get(contextId);
      if (state === undefined) refuse('contextId', `"${contextId}" is not open`);
      const rest = state.buffer.flush();
      await post(contextId, { text: rest === '' ? ' ' : rest, flush: true });
      await post(contextId, { close_context: true });
      contexts.delete(contextId);
    },
    async end() {
      if (ended) return;
      for (const contextId of [...contexts.keys()]) await session.finish(contextId);
      ended = true;
      await send(socket, { close_socket: true });
    },
    async close() {
      clearInterval(timer);
      ended = true;
      await socket.close(1000);
    },
    [Symbol.asyncDispose]: () => session.close(),
    [Symbol.asyncIterator]: () => hear(operation, socket, reader, () => ended, session),
  };
  return session;
}

async function* hear(
  operation: Operation,
  socket: Socket,
  reader: LiveReader,
  ended: () => boolean,
  session: LiveMultiSession,
): AsyncGenerator<LiveChunk, void, undefined> {
  try {
    for await (const message of socket) yield reader.read(message);
    if (ended()) return;
    throw new WireError('STREAM_BROKEN', `${operation.name}: the socket closed before the session was ended`, {
      service: 'audio',
      operation: operation.name,
    });
  } finally {
    await session.close();
  }
}
