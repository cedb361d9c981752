import { visibleText } from '../text/hidden.ts';
import type { OverviewScript } from './script.ts';
import { oneLine } from './script-text.ts';
import type { SpokenScript } from './spoken-script.ts';

/**
 * Captions of a conversation as WebVTT: a cue for each sentence with its voice and its sources, which notes at the
 * beginning name.
 * @see https://www.w3.org/TR/webvtt1/
 */
export function overviewCaptions(script: OverviewScript, { sentences }: Pick<SpokenScript, 'sentences'>): string {
  const notes = script.sources.map(({ n, reference }) => `NOTE [${n}] ${plain(reference)}`);
  const cues = sentences.map(({ turn, sentence, fromMs, toMs }, i) => {
    const { voice, sentences: own } = script.turns[turn]!;
    const { text, citations } = own[sentence]!;
    const marks = citations.map((n) => `[${n}]`).join('');
    return `${i + 1}\n${time(fromMs)} --> ${time(toMs)}\n<v ${voice}>${plain(text)}${marks === '' ? '' : ` ${marks}`}`;
  });
  return `${['WEBVTT', ...notes, ...cues].join('\n\n')}\n`;
}

/** Text that is neither a tag, nor ends a cue or a note. */
function plain(text: string): string {
  const escaped = oneLine(visibleText(text)).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return escaped.replaceAll('>', '&gt;');
}

function time(ms: number): string {
  const whole = Math.round(ms);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const rest = String(whole % 1000).padStart(3, '0');
  return `${two(whole / 3_600_000)}:${two((whole / 60_000) % 60)}:${two((whole / 1000) % 60)}.${rest}`;
}
