import { isTerm } from './definitions.ts';

/** `hoist: n.`, `:hoist: /hoyst/, vt.`: a word with its class, which says nothing without what stands behind it. */
export const entryHead: RegExp =
  /^[^\n]{2,80}[,:/)\]] (?:abbrev|adj|adv|conj|excl|interj|n|num|pl|prep|pron|v|vb|vi|vt)\.(?: (?:obs|pl)\.)?$/u;

/** Between the names of one entry, where they are written in one line. */
export const betweenNames = ' / ';
/** `self-test` over `POST`, which are names of one thing. */
const mostNames = 6;
const mayBe = /(?:^|\n)\S[^\n]*\n[ \t]*\n[ \t]{2,}\S/;

/**
 * The names of entries in a text that is set as a dictionary: they alone stand at the margin, each above an empty line
 * and paragraphs that stand further in. None where anything else stands at the margin, but for what goes on there with
 * an indented line that was too long.
 * @returns offset of the first name of an entry → its names, parted by `betweenNames`
 */
export function dictionaryNames(text: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  if (!mayBe.test(text)) return found;
  let names: string[] = [];
  let [start, at] = [0, 0];
  let above: 'blank' | 'margin' | 'inside' = 'blank';
  for (const line of text.split('\n')) {
    if (line.trim() === '') above = 'blank';
    else if (/^[ \t]{2,}/.test(line)) {
      if (names.length > 0 && above === 'blank') found.set(start, names.join(betweenNames));
      else if (names.length > 0) return new Map();
      names = [];
      above = 'inside';
    } else if (above !== 'inside') {
      if (!isTerm(line) || (above === 'blank' && names.length > 0) || names.length >= mostNames) return new Map();
      if (names.length === 0) start = at;
      names.push(line.trim());
      above = 'margin';
    }
    at += line.length + 1;
  }
  return found;
}
