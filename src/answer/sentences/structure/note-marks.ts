/** `Fees (1)`, `Fees[a]`, `Fees*`: marks of notes behind a label. */
const noteMarks = /(?<=[\p{L}\p{N})%])(?:\s*(?:[([](?:\p{Nd}{1,2}|\p{Ll})[)\]]|[*†‡§]))+\s*$/u;

/** The length of a label without the marks of notes behind it. */
export function labelLength(label: string): number {
  return noteMarks.exec(label)?.index ?? label.length;
}

/** A label without the mark behind it that begins a line of the text, which is its note; else the label. */
export function withoutNoteMark(label: string, text: string): string {
  const end = labelLength(label);
  const mark = label.slice(end).trim();
  return mark !== '' && text.split('\n').some((line) => line.trimStart().startsWith(`${mark} `))
    ? label.slice(0, end)
    : label;
}
