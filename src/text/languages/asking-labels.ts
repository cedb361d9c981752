/** Asking words that stand as labels in invitations, by what they ask for, in English, German, French, Spanish and Italian. */
const asking: Readonly<Record<string, string>> = {
  when: 'when|wann|quand|cuándo|cuando|quando',
  where: 'where|wo|où|dónde|donde|dove',
  who: 'who|wer|qui|quién|quien|chi',
  price: 'how much|was kostet es|wie ?viel|combien|cuánto|cuanto|quanto',
};
const words = Object.values(asking).join('|');
const label = new RegExp(
  `^[\\s>*+•–_-]*(?<asked>(?:${words})(?:(?:,| and| und| et| y| e|/|&) ?(?:${words}))*)\\s?[?:][*_\`]*`,
  'iu',
);
const begins = Object.values(asking).map((list) => new RegExp(`^\\W*(?:${list})(?!\\p{L})`, 'iu'));
const holds = Object.values(asking).map((list) => new RegExp(`(?<!\\p{L})(?:${list})(?!\\p{L})`, 'iu'));

/** Characters of a line up to the end of such a label that has the asking word of a question: `When and where?`; 0 where none has. */
export function askingLabel(line: string, question: string): number {
  const found = label.exec(line);
  if (found === null) return 0;
  const kind = begins.findIndex((one) => one.test(question));
  return kind >= 0 && holds[kind]!.test(found.groups!.asked!) ? found[0].length : 0;
}
