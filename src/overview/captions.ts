import { objectOf } from '../core/arguments.ts';
import { captionsOf, webVtt } from '../speak/captions.ts';
import type { OverviewScript } from './script.ts';
import type { SpokenScript } from './spoken-script.ts';

/**
 * Captions of a conversation as WebVTT: the sentences, each with its voice before it and its sources below.
 * @see https://www.w3.org/TR/webvtt1/
 */
export function overviewCaptions(script: OverviewScript, sound: Pick<SpokenScript, 'sentences'>): string {
  objectOf(script, 'the script', 'turns', 'sources');
  const { sentences } = objectOf(sound, 'the sound', 'sentences');
  const references = new Map(script.sources.map(({ n, reference }) => [n, reference]));
  const captions = sentences.flatMap(({ turn, sentence, fromMs, toMs }) => {
    const { voice, sentences: own } = script.turns[turn]!;
    const { text: said, citations } = own[sentence]!;
    const text = `${voice}: ${said}`;
    const span = { turn, start: 0, end: text.length, startMs: fromMs, endMs: toMs };
    return captionsOf(
      text,
      [span],
      citations.map((n) => `[${n}] ${references.get(n)}`),
    );
  });
  return webVtt(captions);
}
