import type { SpokenSpan, SpokenTurn } from '../../speak/contract.ts';

/** A character of the text that was sent, and when it is heard, from the start of the whole sound. */
export interface TimedCharacter {
  readonly character: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** A character that the speaker added or left out: looked for so far ahead. */
const LOOK_AHEAD = 24;

/** Puts the times of characters to the words of turns, which come one after the other. */
export class AlignedTurns {
  readonly #turns: SpokenTurn[] = [];
  /** By turn. */
  readonly #heard = new Map<number, { readonly startMs: number; readonly endMs: number }>();
  #turn = 0;
  #at = 0;
  #word: { turn: number; start: number; end: number; startMs: number; endMs: number } | undefined;

  /** Tells of the next turn, before its characters. */
  push(turn: SpokenTurn): void {
    this.#turns.push(turn);
  }

  /** @returns the words that are whole now */
  hear(characters: Iterable<TimedCharacter>): SpokenSpan[] {
    const spans: SpokenSpan[] = [];
    for (const { character, startMs, endMs } of characters) {
      if (character.trim() === '') {
        spans.push(...this.#finishWord());
        continue;
      }
      const place = this.#find(character);
      if (place === undefined) continue;
      const { turn, at } = place;
      const isNext = this.#word?.turn === turn && !/\s/u.test(this.#turns[turn]!.text.slice(this.#word.end, at));
      if (!isNext) spans.push(...this.#finishWord());
      const end = at + character.length;
      this.#word = this.#word
        ? { ...this.#word, end, endMs: Math.max(this.#word.endMs, endMs) }
        : { turn, start: at, end, startMs, endMs: Math.max(startMs, endMs) };
      this.#turn = turn;
      this.#at = end;
    }
    return spans;
  }

  /**
   * The last word, and turns without any time: what lies between the turns around them, by their share of the
   * characters.
   * @param endMs of the whole sound
   */
  finish(endMs: number): SpokenSpan[] {
    const spans = this.#finishWord();
    let fromMs = 0;
    for (let turn = 0; turn < this.#turns.length; ) {
      const heard = this.#heard.get(turn);
      if (heard) {
        fromMs = heard.endMs;
        turn++;
        continue;
      }
      let next = turn;
      while (next < this.#turns.length && !this.#heard.has(next)) next++;
      const toMs = Math.max(fromMs, this.#heard.get(next)?.startMs ?? endMs);
      const unheard = this.#turns.slice(turn, next);
      const all = unheard.reduce((sum, { text }) => sum + text.length, 0);
      let before = 0;
      for (const { text } of unheard) {
        const at = (offset: number): number => fromMs + ((before + offset) / all) * (toMs - fromMs);
        spans.push({ turn: turn++, start: 0, end: text.length, startMs: at(0), endMs: at(text.length) });
        before += text.length;
      }
    }
    return spans;
  }

  #finishWord(): SpokenSpan[] {
    const word = this.#word;
    this.#word = undefined;
    if (!word) return [];
    const { turn, startMs, endMs } = word;
    this.#heard.set(turn, { startMs: this.#heard.get(turn)?.startMs ?? startMs, endMs });
    return [word];
  }

  #find(character: string): { turn: number; at: number } | undefined {
    let ahead = 0;
    for (let turn = this.#turn; turn < this.#turns.length; turn++) {
      const { text } = this.#turns[turn]!;
      for (let at = turn === this.#turn ? this.#at : 0; at < text.length; at++) {
        if (text.startsWith(character, at)) return { turn, at };
        if (!/\s/u.test(text[at]!) && ++ahead > LOOK_AHEAD) return undefined;
      }
    }
    return undefined;
  }
}
