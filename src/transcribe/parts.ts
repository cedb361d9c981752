import type { SpokenWord, Transcript } from './contract.ts';
import { mergeChannels } from './json.ts';

/** A stretch of a long recording that is sent at once. Times in ms of the whole recording. */
export interface Part {
  /** The stretch that is sent. It begins before the words that are kept, and ends after them. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The words between these times are kept. */
  readonly keepFromMs: number;
  readonly keepToMs: number;
}

/** A word that is spoken across a cut is heard whole on both sides: sent after the cut, in ms. */
const TAIL_MS = 3_000;

/**
 * The parts of a recording that is cut at these times.
 * @param overlapMs sent again before each cut: by it the speakers of two parts are matched
 */
export function partsAt(cutsMs: readonly number[], durationMs: number, overlapMs: number): Part[] {
  const edges = [0, ...cutsMs, durationMs];
  return edges.slice(1).map((keepToMs, i): Part => {
    const keepFromMs = edges[i]!;
    return {
      fromMs: i === 0 ? 0 : Math.max(0, keepFromMs - overlapMs),
      toMs: Math.min(durationMs, i === edges.length - 2 ? durationMs : keepToMs + TAIL_MS),
      keepFromMs: i === 0 ? Number.NEGATIVE_INFINITY : keepFromMs,
      keepToMs: i === edges.length - 2 ? Number.POSITIVE_INFINITY : keepToMs,
    };
  });
}

/**
 * About where to cut, so that no part is longer than `mostMs` with what it repeats, when each cut is moved by up to
 * `slackMs`: parts of equal length.
 */
export function cutTargets(durationMs: number, mostMs: number, overlapMs: number, slackMs: number): number[] {
  const own = mostMs - overlapMs - TAIL_MS - 2 * slackMs;
  const count = Math.ceil(durationMs / own);
  return Array.from({ length: count - 1 }, (_, i) => (durationMs * (i + 1)) / count);
}

interface HeardPart {
  readonly part: Part;
  /** Times from the start of what was sent. */
  readonly transcript: Transcript;
}

/**
 * One transcript of parts in order: each word once, times of the whole recording, speakers of one part under the names
 * of the part before, by who speaks at the same time in what both heard. Where nothing is sent again before a cut, each
 * channel is a speaker, and has its name from the recording.
 */
export function joinParts(heard: readonly HeardPart[]): Transcript {
  const areChannels = heard.some(({ part }) => part.fromMs === part.keepFromMs);
  const words = areChannels ? joinChannels(heard) : joinWords(heard);
  const language = heard.find(({ transcript }) => transcript.language !== undefined)?.transcript.language;
  return { ...(language === undefined ? {} : { language }), words };
}

/**
 * Each channel for itself: two that speak at once across a cut have no common order. A word is whole only in the part
 * in which it begins.
 */
function joinChannels(heard: readonly HeardPart[]): SpokenWord[] {
  const channels = new Map<string | undefined, SpokenWord[]>();
  for (const { part, transcript } of heard) {
    const ends = new Map([...channels].map(([speaker, words]) => [speaker, words.at(-1)!.endMs]));
    for (const word of movedTo(part, transcript)) {
      if (word.startMs >= part.keepToMs || middle(word) < (ends.get(word.speaker) ?? 0)) continue;
      const own = channels.get(word.speaker);
      if (own) own.push(word);
      else channels.set(word.speaker, [word]);
    }
  }
  return mergeChannels([...channels.values()]);
}

/** Words at their times in the whole recording. */
function movedTo({ fromMs }: Part, { words }: Transcript): SpokenWord[] {
  return words.map((word) => ({ ...word, startMs: word.startMs + fromMs, endMs: word.endMs + fromMs }));
}

function joinWords(heard: readonly HeardPart[]): SpokenWord[] {
  const words: SpokenWord[] = [];
  let before: readonly SpokenWord[] = [];
  const speakers = new Set<string>();
  for (const { part, transcript } of heard) {
    const named = renameSpeakers(movedTo(part, transcript), before, part, speakers);
    for (const { speaker } of named) if (speaker !== undefined) speakers.add(speaker);
    const from = before.length === 0 ? 0 : seam(before, named, part.keepFromMs);
    words.push(...named.slice(from).filter((word, i) => i > 0 || !isRepeated(words.at(-1), word)));
    before = named;
    // What was heard after the cut belongs to the next part.
    if (Number.isFinite(part.keepToMs)) while (words.length > 0 && middle(words.at(-1)!) >= part.keepToMs) words.pop();
  }
  return words;
}

const middle = ({ startMs, endMs }: SpokenWord): number => (startMs + endMs) / 2;

/** Words around a cut that both parts heard, in ms on each side. */
const WINDOW_MS = 2_500;

/**
 * Index of the first word of the later part that is kept. Where both heard the same words around the cut, the earlier
 * part decides which lie before it, so that no word is lost or doubled when the two measure its time a little apart.
 */
function seam(before: readonly SpokenWord[], after: readonly SpokenWord[], cutMs: number): number {
  const byTime = after.findIndex((word) => middle(word) >= cutMs);
  const at = byTime === -1 ? after.length : byTime;
  const near = (word: SpokenWord): boolean => Math.abs(middle(word) - cutMs) <= WINDOW_MS;
  const [a, b] = [before.filter(near), after.filter(near)];
  if (a.length !== b.length || a.some(({ text }, i) => text !== b[i]!.text) || b.length === 0) return at;
  return after.indexOf(b[0]!) + a.filter((word) => middle(word) < cutMs).length;
}

/** The same word, heard by both at nearly the same time. */
function isRepeated(last: SpokenWord | undefined, word: SpokenWord): boolean {
  return last !== undefined && last.text === word.text && word.startMs < last.endMs && last.startMs < word.endMs;
}

/** Gives the speakers of a part the names they have before it; who was not heard there gets a new one. */
function renameSpeakers(
  words: readonly SpokenWord[],
  before: readonly SpokenWord[],
  { keepFromMs }: Part,
  taken: ReadonlySet<string>,
): readonly SpokenWord[] {
  const shared = new Map<string, Map<string, number>>();
  let from = 0;
  for (const word of words) {
    if (word.startMs > keepFromMs + TAIL_MS) break;
    while (from < before.length && before[from]!.endMs < word.startMs) from++;
    for (let i = from; i < before.length && before[i]!.startMs < word.endMs; i++) {
      const [own, other] = [word.speaker, before[i]!.speaker];
      if (own === undefined || other === undefined) continue;
      const overlap = Math.min(word.endMs, before[i]!.endMs) - Math.max(word.startMs, before[i]!.startMs);
      const row = shared.get(own) ?? new Map<string, number>();
      shared.set(own, row.set(other, (row.get(other) ?? 0) + Math.max(0, overlap)));
    }
  }
  const pairs = [...shared].flatMap(([own, row]) => [...row].map(([other, ms]) => ({ own, other, ms })));
  const names = new Map<string, string>();
  for (const { own, other } of pairs.sort((a, b) => b.ms - a.ms)) {
    if (!names.has(own) && ![...names.values()].includes(other)) names.set(own, other);
  }
  let next = 0;
  const used = new Set([...taken, ...names.values()]);
  for (const { speaker } of words) {
    if (speaker === undefined || names.has(speaker)) continue;
    while (used.has(`speaker_${next}`)) next++;
    const name = used.has(speaker) ? `speaker_${next}` : speaker;
    names.set(speaker, name);
    used.add(name);
  }
  return words.map((word) => (word.speaker === undefined ? word : { ...word, speaker: names.get(word.speaker)! }));
}
