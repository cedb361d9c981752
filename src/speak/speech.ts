import { objectOf, optionsOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import type { Meter } from '../core/meter.ts';
import type { CallOptions } from '../core/types.ts';
import { cutLong } from '../text/sentences/cuts.ts';
import type { SoundFormat, SoundPart, Speaker, SpeechUsage, SpokenSpan, SpokenTurn } from './contract.ts';
import { isConversation } from './conversation.ts';
import { checkedSound, checkSpeaker, pricePer1000 } from './own-speaker.ts';
import { msOf } from './pcm.ts';
import { type SaidPiece, sayable } from './sayable.ts';

export interface SpeechOptions extends CallOptions {
  /** Pays for each turn as it is handed to the speaker; for an array, which is handed at once, for all or none. */
  readonly meter: Meter;
  /** @default pcm */
  readonly format?: SoundFormat | undefined;
  /** ISO 639. @default en, and as the voice is */
  readonly language?: string | undefined;
}

/** A turn, or a part of one that is too long, as it is handed to the speaker. */
interface SaidTurn {
  readonly turn: SpokenTurn;
  /** Index of the written turn. */
  readonly index: number;
  /** Offset of its text in the spoken form of the written turn. */
  readonly from: number;
  readonly pieces: readonly SaidPiece[];
}

/**
 * Says written turns aloud, each as it comes, and pays for each once. Spans have offsets of the written texts. A turn
 * without a word is not said.
 * @throws IbidError BUDGET_EXCEEDED, INVALID_ARGUMENT for a budget without a price, CONTRACT_BROKEN, and the errors of
 * the speaker
 */
export async function* speakTurns(
  speaker: Speaker,
  turns: readonly SpokenTurn[] | AsyncIterable<SpokenTurn>,
  options: SpeechOptions,
): AsyncGenerator<SoundPart, SpeechUsage, undefined> {
  checkSpeaker(speaker);
  const { meter, format = 'pcm', language, signal } = objectOf(optionsOf(options), 'the options', 'meter');
  const thousand = pricePer1000(speaker, isConversation(turns, speaker));
  checkPrice(thousand, speaker, meter);
  const price = (thousand ?? 0) / 1000;
  const sent: SaidTurn[] = [];
  let [characters, spoken, ms] = [0, 0, 0];
  const saidOf = (turn: SpokenTurn, index: number): SaidTurn[] => {
    const parts = saidTurns(turn, index, language, speaker.limits.characters);
    if (parts.length > 0) spoken++;
    return parts;
  };
  const pay = (parts: readonly SaidTurn[]): void => {
    const length = parts.reduce((sum, { turn }) => sum + turn.text.length, 0);
    meter.reserve(length * price).settle(length * price);
    characters += length;
    sent.push(...parts);
  };
  async function* coming(written: AsyncIterable<SpokenTurn>): AsyncGenerator<SpokenTurn> {
    let index = 0;
    for await (const turn of written) {
      for (const part of saidOf(turn, index++)) {
        pay([part]);
        yield part.turn;
      }
    }
  }
  const atOnce = Array.isArray(turns) ? turns.flatMap(saidOf) : [];
  pay(atOnce);
  const source = Array.isArray(turns) ? atOnce.map(({ turn }) => turn) : coming(turns as AsyncIterable<SpokenTurn>);
  if (!Array.isArray(source) || source.length > 0) {
    for await (const part of checkedSound(speaker, source, { format, language, signal }, () => sent.length)) {
      const spans = part.spans.map((span) => asWritten(span, sent[span.turn]!));
      ms = format === 'pcm' ? ms + msOf(part.audio.length, part.sampleRate) : Math.max(ms, spans.at(-1)?.endMs ?? 0);
      yield { ...part, spans };
    }
  }
  const usage = { speaker: speaker.id, turns: spoken, characters, seconds: ms / 1000 };
  return thousand === undefined ? usage : { ...usage, costUsd: characters * price };
}

/** @throws IbidError INVALID_ARGUMENT for a budget without a price */
export function checkPrice(usdPer1000: number | undefined, { id }: Pick<Speaker, 'id'>, { budgetUsd }: Meter): void {
  if (usdPer1000 !== undefined || budgetUsd === undefined) return;
  throw new IbidError('INVALID_ARGUMENT', `a budget needs a price, and none is known for "${id}"`, {
    hint: 'Give the plan of the key, or the price of 1,000 characters; or leave the budget out.',
  });
}

function saidTurns({ text, voice }: SpokenTurn, index: number, language: string | undefined, most: number): SaidTurn[] {
  const { text: words, pieces } = sayable(text, language);
  if (words === '') return [];
  const spans: { start: number; end: number }[] = [];
  cutLong(words, 0, words.length, most, spans);
  return spans.flatMap(({ start, end }) => {
    const said = words.slice(start, end);
    const turn = { text: said, ...(voice === undefined ? {} : { voice }) };
    return /[\p{L}\p{N}]/u.test(said) ? [{ turn, index, from: start, pieces }] : [];
  });
}

/** A span of what was said as the span of what was written. */
function asWritten(span: SpokenSpan, { index, from, pieces }: SaidTurn): SpokenSpan {
  const at = (offset: number, isEnd: boolean): number => {
    const piece = pieces.find(({ said }) => (isEnd ? said.end >= offset : said.end > offset)) ?? pieces.at(-1)!;
    const { said, written } = piece;
    const isVerbatim = said.end - said.start === written.end - written.start;
    if (isVerbatim) return written.start + Math.min(Math.max(0, offset - said.start), said.end - said.start);
    return isEnd ? written.end : written.start;
  };
  return { ...span, turn: index, start: at(span.start + from, false), end: at(span.end + from, true) };
}
