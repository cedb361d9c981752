/** A text with each run of white space, line ends included, as one space, and none at its ends. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
