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
  readonly #heard = new Set<number>();
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

  /** The last word, and turns without any time: by their share of the characters. @param endMs of the whole sound */
  finish(endMs: number): SpokenSpan[] {
    const spans = this.#finishWord();
    const all = this.#turns.reduce((sum, { text }) => sum + text.length, 0);
    let before = 0;
    for (const [turn, { text }] of this.#turns.entries()) {
      const [from, to] = [before / all, (before + text.length) / all];
      before += text.length;
      if (this.#heard.has(turn)) continue;
      spans.push({ turn, start: 0, end: text.length, startMs: from * endMs, endMs: to * endMs });
    }
    return spans;
  }

  #finishWord(): SpokenSpan[] {
    const word = this.#word;
    this.#word = undefined;
    if (!word) return [];
    this.#heard.add(word.turn);
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
