import type { RelatedPassage } from '../answer/contract.ts';

/** The voice that says a turn. */
export type ScriptVoice = 'A' | 'B';

/** One sentence of a voice. */
export interface ScriptSentence {
  /** As it is spoken, without marks. */
  readonly text: string;
  /** Numbers of sources; none for a connecting phrase, which holds no fact. */
  readonly citations: readonly number[];
}

/** The sentences of one voice until the other one speaks. */
export interface ScriptTurn {
  readonly voice: ScriptVoice;
  /** At least one. */
  readonly sentences: readonly ScriptSentence[];
}

/** A cited passage: its quote is what stands at its span in the index. */
export type ScriptSource = Omit<RelatedPassage, 'text' | 'highlight'>;

/** A conversation of two voices. Every sentence but connecting phrases cites a source. */
export interface OverviewScript {
  readonly title: string;
  readonly turns: readonly ScriptTurn[];
  /** Each is cited at least once; numbered from 1 in the order of their first citation. */
  readonly sources: readonly ScriptSource[];
}

/** Turns of one voice that follow on each other become one; sources that nobody cites are left out, the others numbered anew. */
export function tidyScript({ title, turns, sources }: OverviewScript): OverviewScript {
  const numbers = new Map<number, number>();
  const joined: { voice: ScriptVoice; sentences: ScriptSentence[] }[] = [];
  for (const { voice, sentences } of turns) {
    if (sentences.length === 0) continue;
    const renumbered = sentences.map(({ text, citations }) => ({
      text,
      citations: [...new Set(citations)].map((n) => {
        if (!numbers.has(n)) numbers.set(n, numbers.size + 1);
        return numbers.get(n)!;
      }),
    }));
    const last = joined.at(-1);
    if (last?.voice === voice) last.sentences.push(...renumbered);
    else joined.push({ voice, sentences: renumbered });
  }
  const used = sources
    .flatMap((source) => (numbers.has(source.n) ? [{ ...source, n: numbers.get(source.n)! }] : []))
    .sort((a, b) => a.n - b.n);
  return { title, turns: joined, sources: used };
}

/** Sentences that state something, as opposed to connecting phrases. */
export function factsOf({ turns }: Pick<OverviewScript, 'turns'>): ScriptSentence[] {
  return turns.flatMap(({ sentences }) => sentences.filter(({ citations }) => citations.length > 0));
}
