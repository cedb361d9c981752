import type { SpokenWord } from '../../transcribe/contract.ts';
import type { Chapter } from './contract.ts';

/** What one speaker says without interruption, or a part of it that reads as one paragraph. */
export interface Turn {
  readonly speaker: string | undefined;
  /** The speaker before was another one, or there was none. */
  readonly isFirst: boolean;
  readonly sentences: readonly (readonly SpokenWord[])[];
}

/** A chapter of the recording with its turns; without a title what stands before the first one. */
export interface Section {
  readonly chapter?: Chapter;
  readonly turns: readonly Turn[];
}

/** Without a mark at its end, a sentence ends at a pause of this length, in ms. */
const SENTENCE_PAUSE_MS = 900;
/** A new paragraph begins after a pause of this length, in ms, … */
const PARAGRAPH_PAUSE_MS = 2500;
/** … and, in a long speech, after the sentence that reaches this length, in characters. */
const PARAGRAPH_CHARS = 900;
/** A sentence without marks and pauses is ended here, in characters. */
const SENTENCE_CHARS = 500;
const SENTENCE_END = /[.!?…。！？।؟۔]["”’')\]」』]*$/u;
/** Abbreviations that end with a dot, and initials. */
const NO_END = /(?:^|\s)(?:\p{Lu}|[Mm]rs?|[Mm]s|[Dd]r|[Pp]rof|[Ss]t|[Nn]o|vs|e\.g|i\.e|etc)\.$/u;

/** Words → chapters → turns → sentences. No word is lost or moved. @param chapters sorted by start */
export function sectionsOf(words: readonly SpokenWord[], chapters: readonly Chapter[]): Section[] {
  const groups: SpokenWord[][] = [[], ...chapters.map(() => [])];
  let chapter = 0;
  for (const word of words) {
    // By its middle: the first word of a chapter may begin a moment before it.
    while (chapter < chapters.length && chapters[chapter]!.startMs <= (word.startMs + word.endMs) / 2) chapter++;
    groups[chapter]!.push(word);
  }
  const sections: Section[] = [];
  if (groups[0]!.length > 0) sections.push({ turns: turnsOf(groups[0]!) });
  for (const [i, one] of chapters.entries()) sections.push({ chapter: one, turns: turnsOf(groups[i + 1]!) });
  return sections;
}

function turnsOf(words: readonly SpokenWord[]): Turn[] {
  const turns: { speaker: string | undefined; isFirst: boolean; sentences: SpokenWord[][] }[] = [];
  let chars = 0;
  let sentenceChars = 0;
  for (const [i, word] of words.entries()) {
    const before = words[i - 1];
    const turn = turns.at(-1);
    const pauseMs = before === undefined ? 0 : word.startMs - before.endMs;
    const changes = turn === undefined || turn.speaker !== word.speaker;
    const ends =
      changes || pauseMs >= SENTENCE_PAUSE_MS || endsSentence(before!.text) || sentenceChars >= SENTENCE_CHARS;
    if (changes || (ends && (pauseMs >= PARAGRAPH_PAUSE_MS || chars >= PARAGRAPH_CHARS))) {
      turns.push({ speaker: word.speaker, isFirst: changes, sentences: [[word]] });
      chars = 0;
      sentenceChars = 0;
    } else if (ends) {
      turn.sentences.push([word]);
      sentenceChars = 0;
    } else turn.sentences.at(-1)!.push(word);
    chars += word.text.length + 1;
    sentenceChars += word.text.length + 1;
  }
  return turns;
}

/** True for a text that closes a sentence by its mark. */
export function endsSentence(text: string): boolean {
  return SENTENCE_END.test(text) && !NO_END.test(text);
}
