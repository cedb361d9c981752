import { isRecord } from '../core/records.ts';
import type { SpokenWord, Transcript } from './contract.ts';

/** One word in the JSON of a service. Times are seconds. */
interface Item {
  readonly text?: unknown;
  readonly word?: unknown;
  readonly start?: unknown;
  readonly end?: unknown;
  readonly type?: unknown;
  readonly speaker_id?: unknown;
  readonly speaker?: unknown;
  readonly channel_index?: unknown;
}

/**
 * The transcript in the JSON of a speech service: words with times and speakers, one transcript for each channel, or
 * the delivery of a webhook; also `segments` and `words` of servers with `/v1/audio/transcriptions` and of programs,
 * and the files of whisper.cpp, Amazon Transcribe and podcasts.
 * @returns undefined for other JSON
 */
export function transcriptOfJson(value: unknown): Transcript | undefined {
  if (!isRecord(value)) return undefined;
  if (isRecord(value.data) && isRecord(value.data.transcription)) return transcriptOfJson(value.data.transcription);
  const language = typeof value.language_code === 'string' ? value.language_code : languageOf(value.language);
  const of = (words: readonly SpokenWord[]): Transcript => ({ ...(language === undefined ? {} : { language }), words });
  if (Array.isArray(value.transcripts)) {
    const channels = value.transcripts.map(transcriptOfJson);
    if (channels.some((one) => one === undefined)) return undefined;
    return {
      ...channels.find((one) => one?.language !== undefined),
      words: mergeChannels(channels.map((one) => one!.words)),
    };
  }
  if (Array.isArray(value.transcription)) {
    const inner = isRecord(value.result) ? value.result.language : undefined;
    return transcriptOfJson({ language: inner, segments: value.transcription.map(ofWhisperCpp) });
  }
  if (isRecord(value.results) && Array.isArray(value.results.items)) {
    const [whole] = Array.isArray(value.results.transcripts) ? value.results.transcripts : [];
    return transcriptOfJson({ text: whole?.transcript, words: value.results.items.map(ofAmazon) });
  }
  const segments = Array.isArray(value.segments) ? value.segments.filter(isRecord).map(ofPodcast) : undefined;
  const text = typeof value.text === 'string' ? value.text : segments?.map((segment) => segment.text ?? '').join(' ');
  if (text === undefined) return undefined;
  if (Array.isArray(value.words) && (value.words.length > 0 || segments === undefined)) {
    const words = value.words.filter(isRecord);
    const last = words.at(-1)?.end;
    // One service says the length in seconds, and the times of words in milliseconds.
    const isMs =
      typeof value.audio_duration === 'number' && typeof last === 'number' && last > 2 * value.audio_duration;
    return of(wordsOf(isMs ? words.map((word) => inSeconds(word, word.start, word.end)) : words, text));
  }
  if (segments === undefined) return undefined;
  // Words in a segment have their own times, and the speaker of the segment.
  const inner = segments.flatMap(({ words, speaker, ...segment }): Item[] =>
    Array.isArray(words) && words.length > 0
      ? words.filter(isRecord).map((word) => ({ speaker, ...word }))
      : [{ speaker, ...segment }],
  );
  return of(wordsOf(inner, text));
}

function inSeconds(item: object, startMs: unknown, endMs: unknown): Item {
  const seconds = (ms: unknown): unknown => (typeof ms === 'number' ? ms / 1000 : undefined);
  return { ...item, start: seconds(startMs), end: seconds(endMs) };
}

function ofWhisperCpp(segment: unknown): Item {
  const { text, offsets } = isRecord(segment) ? segment : {};
  return isRecord(offsets) ? inSeconds({ text }, offsets.from, offsets.to) : { text };
}

function ofAmazon(item: unknown): Item {
  const { alternatives, start_time: start, end_time: end, speaker_label: speaker } = isRecord(item) ? item : {};
  const [best] = Array.isArray(alternatives) ? alternatives : [];
  const seconds = (time: unknown): number | undefined => (typeof time === 'string' ? Number(time) : undefined);
  return { text: best?.content, start: seconds(start), end: seconds(end), speaker };
}

function ofPodcast(segment: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { startTime: start, endTime: end, body: text } = segment;
  return typeof text === 'string' && segment.text === undefined ? { ...segment, start, end, text } : segment;
}

/** Servers of that kind write `english` where others write `en`. */
function languageOf(language: unknown): string | undefined {
  return typeof language === 'string' && /^[a-z]{2,3}$/.test(language) ? language : undefined;
}

/** A word that stands farther on in the text is another one; words that are not found lead farther. In characters. */
const NEAR = 64;

/**
 * Items that are no spaces, with times that ascend. A word without a time begins where the word before it ends. Two
 * words are joined when no blank stands between them in the text.
 */
function wordsOf(items: readonly Item[], whole: string): SpokenWord[] {
  const text = whole.replace(/\s+/g, ' ');
  const words: SpokenWord[] = [];
  let at = 0;
  let near = NEAR;
  const saysBlanks = items.some((item) => item?.type === 'spacing' || /^\s/.test(`${item?.text ?? item?.word ?? ''}`));
  let spaced = true;
  let clock = 0;
  for (const item of items) {
    if (!isRecord(item)) continue;
    const raw = typeof item.text === 'string' ? item.text : typeof item.word === 'string' ? item.word : '';
    const said = raw.replace(/\s+/g, ' ').trim();
    if (item.type === 'spacing' || said === '') {
      spaced = true;
      continue;
    }
    const found = text.indexOf(said, at);
    const isNear = found !== -1 && found - at <= near;
    near = isNear ? NEAR : near + said.length + 1;
    const between = isNear ? text.slice(at, found) : '';
    const joinedItem = saysBlanks ? !spaced && !/^\s/.test(raw) : !text.includes(' ');
    const joined = isNear ? !/\s/.test(between) && at > 0 : joinedItem;
    const [closing, opening] = marksIn(between);
    const last = words.at(-1);
    if (last && closing !== '') words[words.length - 1] = { ...last, text: last.text + closing };
    if (isNear) at = found + said.length;
    spaced = false;
    const startMs = Math.max(clock, ms(item.start) ?? last?.endMs ?? 0);
    const endMs = Math.max(startMs, ms(item.end) ?? startMs);
    clock = startMs;
    const named = item.speaker_id ?? item.speaker;
    const speaker = typeof named === 'string' ? named : channelOf(item.channel_index);
    words.push({
      text: (last ? opening : closing + opening) + said,
      startMs,
      endMs,
      ...(speaker === undefined ? {} : { speaker }),
      ...(item.type === 'audio_event' ? { event: true } : {}),
      ...(joined ? { joined: true } : {}),
    });
  }
  const last = words.at(-1);
  if (last) words[words.length - 1] = { ...last, text: last.text + marksIn(text.slice(at))[0] };
  return words;
}

/**
 * Marks between two words that are of neither: some servers give words without them.
 * @returns those of the word before, and those of the word behind
 */
function marksIn(between: string): readonly [closing: string, opening: string] {
  if (/[\p{L}\p{N}]/u.test(between)) return ['', ''];
  const [closing = '', ...rest] = between.split(/\s+/);
  return [closing, rest.join('')];
}

function ms(seconds: unknown): number | undefined {
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0
    ? Math.round(seconds * 1000)
    : undefined;
}

function channelOf(channel: unknown): string | undefined {
  return typeof channel === 'number' ? `speaker_${channel}` : undefined;
}

/** A pause of this length ends a stretch of one channel, in ms. */
const PAUSE_MS = 700;

/** The words of several channels in one order: each stretch without a long pause stays together. */
export function mergeChannels(channels: readonly (readonly SpokenWord[])[]): SpokenWord[] {
  const stretches = channels.flatMap((words) => {
    const own: SpokenWord[][] = [];
    for (const word of words) {
      const last = own.at(-1)?.at(-1);
      const ends = last === undefined || word.startMs - last.endMs > PAUSE_MS || /[.!?。！？]$/u.test(last.text);
      if (ends) own.push([word]);
      else own.at(-1)!.push(word);
    }
    return own;
  });
  return stretches.sort((a, b) => a[0]!.startMs - b[0]!.startMs).flat();
}
