import type { Hit } from '../../../core/types.ts';
import { questionWords } from '../../../text/analysis/words.ts';
import { headerBefore, passageText } from '../structure/passage-text.ts';

/** A name has at least so many capitals within sentences for each place where it has none. */
const capitalsForOne = 4;
/** A longer word in capitals alone is one that is stressed. */
const longestShortForm = 5;
/** A title and a row have no mark at their end, and capitals that say nothing. */
const ended = /[.!?。！？]["'”’»)]*\s*$/u;
const longestEnd = 4;

/** How a word is written within sentences. */
interface Spellings {
  small: number;
  readonly capitals: Map<string, number>;
}

/**
 * A question in small letters, with the capitals that its words have within the sentences of the hits: `who was thomas
 * becket` asks for `Thomas Becket`. A question that has a capital stays as it is. No offset changes.
 */
export function withCapitals(question: string, hits: readonly Hit[]): string {
  if (/\p{Lu}/u.test(question)) return question;
  const asked = questionWords(question).filter(({ empty, unspaced, numeric }) => !empty && !unspaced && !numeric);
  const spellings = new Map<string, Spellings>(asked.map(({ word }) => [word, { small: 0, capitals: new Map() }]));
  for (const hit of hits) count(hit, spellings);
  let out = question;
  for (const { word, start } of asked) {
    const name = nameOf(word, spellings.get(word)!);
    if (name !== undefined && question.startsWith(word, start))
      out = out.slice(0, start) + name + out.slice(start + name.length);
  }
  return out;
}

function count({ chunk }: Hit, spellings: ReadonlyMap<string, Spellings>): void {
  const { text, format } = chunk;
  const { words, units, ranges } = passageText(text, format, headerBefore(chunk) !== '');
  units.forEach(({ kind, end }, i) => {
    const isSentence = kind === 'sentence' && ended.test(text.slice(Math.max(0, end - longestEnd), end));
    const [from, to] = ranges[i]!;
    for (let k = from; k < to; k++) {
      const { word, capital, start } = words[k]!;
      const found = spellings.get(word);
      if (found === undefined) continue;
      if (!capital) found.small++;
      else if (isSentence && start > words[from]!.start) {
        const form = text.slice(start, start + word.length);
        found.capitals.set(form, (found.capitals.get(form) ?? 0) + 1);
      }
    }
  });
}

/** `Becket`, `NASA`; `LaMontagne` with its first capital alone, because the others would part it. */
function nameOf(word: string, { small, capitals }: Spellings): string | undefined {
  let all = 0;
  for (const times of capitals.values()) all += times;
  if (all === 0 || all < capitalsForOne * small) return undefined;
  const [form] = [...capitals].reduce((most, one) => (one[1] > most[1] ? one : most));
  const name =
    form === form.toUpperCase() && form.length <= longestShortForm ? form : form[0]!.toUpperCase() + word.slice(1);
  return name.toLowerCase() === word ? name : undefined;
}
