/** Fields of Word with the name EQ, which set text without having a result: readings above characters, fractions, frames. */

/** Characters with their reading above or below: `\o\ad(\s\up 9(かんじ),漢字)`. */
const READING = /\\o\s*(?:\\a[lrcdj]\s*)?\(\s*\\s\s*\\(?:up|do)\s*-?\d*\s*\([^()]*\)\s*[,;]([^()]*)\)/giu;
const FRACTION = /\\f\s*\(([^(),;]*)[,;]([^(),;]*)\)/giu;
/** Formats of the field, then switches with their numbers. */
const SWITCHES = /\\\*\s*(?:"[^"]*"|[^\s\\]+)|\\[a-z]{1,2}\s*-?\d*\s*/giu;

/** Longer instructions are no equations. */
export const LONGEST_EQUATION = 4096;

/** @returns what the field shows, in one line and without readings; '' for any other field */
export function shownByField(instruction: string): string {
  if (instruction.length > LONGEST_EQUATION) return '';
  const said = /^\s*EQ\s(.*)$/isu.exec(instruction)?.[1];
  if (said === undefined) return '';
  return said.replace(READING, '$1').replace(FRACTION, '$1/$2').replace(SWITCHES, '').trim();
}
