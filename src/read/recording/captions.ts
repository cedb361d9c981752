import type { SpokenWord, Transcript } from '../../transcribe/contract.ts';
import { cuesOf, cueText, INNER_TIME, milliseconds } from '../captions/subtitles.ts';

const VOICE = /<v(?:\.[^\s<>]*)?\s+([^<>]+)>/;
/** Where somebody else begins to speak. */
const DASH = /^(?:>>+|[-–—]) */;
/** `MODERATOR: …`, `Ailsa Munro: …` at the start of a caption. */
const NAMED = /^(\p{Lu}[\p{L}\p{M}.'’-]{0,30}(?: \p{Lu}[\p{L}\p{M}.'’-]{0,30}){0,2}): +(?=\S)/u;
/** A label before a colon is a speaker when it comes more than once. */
const LEAST_USES = 2;

/**
 * Captions as a transcript: a caption is one word with its times, unless WebVTT gives times inside it. Speakers are
 * those of voice tags; without any, the names that captions begin with.
 */
export function transcriptOfCaptions(source: string): Transcript {
  const cues = [...cuesOf(source)].filter(({ timeMs }) => timeMs !== undefined);
  const labels = new Map<string, number>();
  for (const { text } of cues) {
    const label = NAMED.exec(text.replace(DASH, ''))?.[1];
    if (label !== undefined) labels.set(label, (labels.get(label) ?? 0) + 1);
  }
  const words: SpokenWord[] = [];
  for (const { raw, timeMs } of cues) {
    for (const voice of raw.split(/(?=<v[\s.])/)) {
      const tagged = VOICE.exec(voice)?.[1]?.trim();
      const said = voice.replace(VOICE, '').replace(DASH, '');
      const label = tagged === undefined ? NAMED.exec(cueText(said))?.[1] : undefined;
      const isSpeaker = label !== undefined && (labels.get(label) ?? 0) >= LEAST_USES;
      const speaker = tagged ?? (isSpeaker ? label : undefined);
      const body = isSpeaker ? said.slice(said.indexOf(':') + 1) : said;
      words.push(...piecesOf(body, timeMs!, speaker));
    }
  }
  return { words };
}

/** A caption, or its words where it has times inside. */
function piecesOf(raw: string, [start, end]: readonly [number, number], speaker: string | undefined): SpokenWord[] {
  const parts = raw.split(INNER_TIME); // text, time, text, time, …
  const starts = [start, ...parts.filter((_, i) => i % 2 === 1).map(milliseconds)];
  return parts
    .filter((_, i) => i % 2 === 0)
    .map((part, i) => {
      const startMs = Math.min(Math.max(start, starts[i]!), end);
      return {
        text: cueText(part).replace(/\s+/g, ' '),
        startMs,
        endMs: Math.max(startMs, Math.min(starts[i + 1] ?? end, end)),
        ...(speaker === undefined ? {} : { speaker }),
      };
    })
    .filter(({ text }) => text !== '');
}
