import { WireError } from '../http/errors.ts';
import { Pieces } from '../http/pieces.ts';
import type { ContentBlock } from './blocks.ts';
import type { BlockDelta, Message, StreamEvent } from './types.ts';

type Fields = Record<string, unknown>;

interface Slot {
  /** The block as it will be in the message; long fields are set from the pieces when someone looks. */
  readonly block: Fields;
  readonly text: Pieces | undefined;
  json: Pieces | undefined;
  citations: unknown[] | undefined;
  open: boolean;
}

const broken = (message: string): WireError =>
  new WireError('RESPONSE_INVALID', `messages stream: ${message}`, { service: 'messages' });

/** Reasons after which a tool's input may be cut in the middle. */
const cutting = new Set(['max_tokens', 'model_context_window_exceeded', 'refusal']);

/**
 * Rebuilds from stream events exactly the message that the same request without streaming returns. Blocks are kept by
 * index, usage figures are overwritten (they are totals), unknown events and deltas are passed over. Events are not
 * kept and not changed.
 */
export class MessageAccumulator {
  #message: Fields | undefined;
  readonly #slots = new Map<number, Slot>();
  readonly #unfinished = new Map<number, string>();
  #last: Slot | undefined;
  #lastIndex = -1;
  #stopped = false;

  /** True after `message_stop`. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Tool inputs that were cut before their JSON was whole, by block index; their `input` is `{}`. */
  get unfinishedInputs(): ReadonlyMap<number, string> {
    return this.#unfinished;
  }

  /** @throws WireError RESPONSE_INVALID when events contradict each other */
  push(event: StreamEvent): void {
    switch (event.type) {
      case 'content_block_delta':
        this.#delta(event.index, event.delta);
        break;
      case 'content_block_start':
        this.#start(event.index, event.content_block);
        break;
      case 'content_block_stop':
        this.#close(this.#slot(event.index), event.index);
        break;
      case 'message_start':
        if (this.#message !== undefined) throw broken('message_start came twice');
        this.#message = { ...event.message };
        break;
      case 'message_delta':
        this.#messageDelta(event);
        break;
      case 'signature_delta':
        this.#signature(event.index, event.signature);
        break;
      case 'message_stop':
        this.#stop();
        break;
      default: // ping, unknown
    }
  }

  /** The message so far; whole once `stopped`. `undefined` before `message_start`. */
  message(): Message | undefined {
    if (this.#message === undefined) return undefined;
    const order = [...this.#slots.keys()].sort((a, b) => a - b);
    const content = order.map((index) => {
      const { block, text } = this.#slots.get(index)!;
      if (text !== undefined) block[block.type === 'text' ? 'text' : 'thinking'] = text.toString();
      return this.#stopped ? block : { ...block };
    });
    // Built from what the service sent; the wire's shape is the type's.
    return { ...this.#message, content } as unknown as Message;
  }

  #slot(index: number): Slot {
    if (index === this.#lastIndex) return this.#last!;
    const slot = this.#slots.get(index);
    if (slot === undefined) throw broken(`block ${index} has not begun`);
    this.#last = slot;
    this.#lastIndex = index;
    return slot;
  }

  #start(index: number, content: ContentBlock): void {
    if (this.#message === undefined) throw broken('a block began before message_start');
    if (!Number.isInteger(index) || index < 0) throw broken(`${String(index)} is no block index`);
    if (this.#slots.has(index)) throw broken(`block ${index} began twice`);
    const block: Fields = { ...content };
    const text =
      block.type === 'text'
        ? new Pieces(typeof block.text === 'string' ? block.text : '')
        : block.type === 'thinking'
          ? new Pieces(typeof block.thinking === 'string' ? block.thinking : '')
          : undefined;
    this.#last = { block, text, json: undefined, citations: undefined, open: true };
    this.#lastIndex = index;
    this.#slots.set(index, this.#last);
  }

  #delta(index: number, delta: BlockDelta): void {
    const slot = this.#slot(index);
    if (!slot.open) throw broken(`block ${index} goes on after its stop`);
    const { block } = slot;
    switch (delta.type) {
      case 'text_delta':
        if (typeof delta.text !== 'string' || !takes(block, 'text')) throw mismatch(delta, index, block);
        append(slot, 'text', delta.text);
        break;
      case 'thinking_delta':
        if (typeof delta.thinking !== 'string' || !takes(block, 'thinking')) throw mismatch(delta, index, block);
        append(slot, 'thinking', delta.thinking);
        break;
      case 'input_json_delta':
        if (typeof delta.partial_json !== 'string') throw mismatch(delta, index, block);
        if (slot.json === undefined) slot.json = new Pieces(delta.partial_json);
        else slot.json.add(delta.partial_json);
        break;
      case 'signature_delta':
        if (!takes(block, 'thinking')) throw mismatch(delta, index, block);
        block.signature = delta.signature;
        break;
      case 'citations_delta':
        if (!takes(block, 'text')) throw mismatch(delta, index, block);
        // The list that came with the start belongs to its event: copied once, then grown.
        if (slot.citations === undefined) {
          slot.citations = Array.isArray(block.citations) ? [...block.citations] : [];
          block.citations = slot.citations;
        }
        slot.citations.push(delta.citation);
        break;
      case 'compaction_delta': {
        const { type: _type, ...fields } = delta;
        Object.assign(block, fields);
        break;
      }
      default: // a delta of a later version
    }
  }

  /**
   * The reference lists `signature_delta` as an event of its own: then it is meant for the thinking block that is open.
   */
  #signature(index: number | undefined, signature: string): void {
    const slot =
      index !== undefined
        ? this.#slot(index)
        : [...this.#slots.values()].findLast(({ block, open }) => open && block.type === 'thinking');
    if (slot?.block.type !== 'thinking') throw broken('a signature came without its thinking block');
    slot.block.signature = signature;
  }

  #close(slot: Slot, index: number): void {
    if (!slot.open) throw broken(`block ${index} ended twice`);
    slot.open = false;
    if (slot.json === undefined) return;
    const text = slot.json.toString();
    slot.json = undefined;
    if (text === '') return; // keeps the placeholder of the start, `{}`
    try {
      slot.block.input = JSON.parse(text);
    } catch {
      // Whether the cut is legitimate is known only with the stop reason.
      this.#unfinished.set(index, text);
    }
  }

  #messageDelta(event: StreamEvent & { type: 'message_delta' }): void {
    const message = this.#message;
    if (message === undefined) throw broken('message_delta came before message_start');
    for (const [key, value] of Object.entries(event)) {
      if (key === 'type') continue;
      if (key === 'delta') takeKnown(message, value as Fields);
      else if (key !== 'usage') message[key] = value;
    }
    const usage: Fields = { ...(message.usage as Fields | undefined) };
    takeKnown(usage, event.usage ?? {}); // totals so far: overwritten, never added
    message.usage = usage;
  }

  #stop(): void {
    if (this.#message === undefined) throw broken('message_stop came before message_start');
    if (this.#stopped) return;
    for (const [index, slot] of this.#slots) if (slot.open) this.#close(slot, index);
    this.#stopped = true;
    const [index] = this.#unfinished.keys();
    if (index !== undefined && !cutting.has(String(this.#message.stop_reason))) {
      throw broken(`the input of block ${index} is not JSON`);
    }
  }
}

/** The newer values; a null does not take away what is known, for there may be several of these events. */
function takeKnown(known: Fields, newer: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(newer)) {
    if (value !== null || known[key] === undefined) known[key] = value;
  }
}

const known = new Set<unknown>([
  ...(['text', 'thinking', 'redacted_thinking', 'tool_use', 'server_tool_use', 'compaction'] as const),
]);

/** Whether a delta of this kind fits a block; what fits a kind of a later version nobody knows yet. */
const takes = ({ type }: Fields, kind: 'text' | 'thinking'): boolean =>
  type === kind || !(known.has(type) || String(type).endsWith('_tool_result'));

function append({ block, text }: Slot, field: 'text' | 'thinking', piece: string): void {
  if (text !== undefined) text.add(piece);
  else block[field] = `${typeof block[field] === 'string' ? block[field] : ''}${piece}`;
}

const mismatch = (delta: BlockDelta, index: number, block: Fields): WireError =>
  broken(`${delta.type} does not fit block ${index}, which is ${String(block.type)}`);
