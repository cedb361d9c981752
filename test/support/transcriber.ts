import type {
  Sound,
  SpokenWord,
  TranscribeCall,
  Transcriber,
  TranscriberReply,
  Transcript,
  TranscriptCache,
  TranscriptReceipt,
} from '../../src/transcribe/contract.ts';

/** A cache in memory that forgets nothing. */
export class MemoryTranscripts implements TranscriptCache {
  readonly entries: Map<string, string> = new Map();
  readonly kept: TranscriptReceipt[] = [];

  async get(key: string): Promise<unknown> {
    const text = this.entries.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  async put(key: string, value: unknown, receipt?: TranscriptReceipt): Promise<void> {
    this.entries.set(key, JSON.stringify(value));
    if (receipt) this.kept.push(receipt);
  }

  async remove(key: string): Promise<void> {
    this.entries.delete(key);
  }

  async receipts(): Promise<readonly TranscriptReceipt[]> {
    return this.kept;
  }
}

/** Hears what it is told of a recording, in the time it is given, and counts what it answered. */
export class KnowingTranscriber implements Transcriber {
  readonly id = 'knowing-1';
  readonly limits: { bytes: number; seconds: number };
  readonly asked: { name: string; seconds: number; call: TranscribeCall }[] = [];
  /** Sounds that were answered, by their bytes. */
  readonly answered: Map<string, number> = new Map();
  fail: (request: number) => Error | undefined = () => undefined;
  /** Called with the words of each answer, before it arrives. */
  onAnswer: (words: readonly SpokenWord[]) => void = () => {};
  usdPerHour: number | undefined = 3600;
  readonly #words: (sound: Sound, bytes: Buffer) => readonly SpokenWord[];

  constructor(words: (sound: Sound, bytes: Buffer) => readonly SpokenWord[], limits = { bytes: 1e9, seconds: 1e6 }) {
    this.#words = words;
    this.limits = limits;
  }

  price(): number | undefined {
    return this.usdPerHour;
  }

  async transcribe(sound: Sound, call: TranscribeCall): Promise<TranscriberReply> {
    const request = this.asked.push({ name: sound.name, seconds: sound.seconds, call }) - 1;
    call.signal?.throwIfAborted();
    const bytes = Buffer.concat(await Array.fromAsync(sound.open()));
    const error = this.fail(request);
    if (error) throw error;
    const key = bytes.toString('base64url');
    this.answered.set(key, (this.answered.get(key) ?? 0) + 1);
    const transcript: Transcript = { language: 'en', words: this.#words(sound, bytes) };
    this.onAnswer(transcript.words);
    return { transcript };
  }
}
