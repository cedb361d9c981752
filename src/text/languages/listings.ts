const items = String.raw`[^.;:]*?(?:,|;)[^.;:]*?(?:,|;|\s(?:and|or|und|oder|et|ou|y|o|e)\s)[^.]*[.]?\s*`;

/** Names things one by one behind a word that leads on to them: `Forms of proof include: a card, a letter, a bill.` */
export const listsThings: RegExp = new RegExp(
  String.raw`(?<!\p{L})(?:includ(?:es?|ed)|are|were|following|such as|umfass(?:t|en)|sind|waren|folgende\p{L}?|gehören|sont|comprennent|comprend|incluent|suivante?s|son|incluyen|comprenden|siguientes|sono|comprendono|includono|seguenti)(?:\s+\p{L}+)?\s*[:：]\s*(?=\S)${items}$`,
  'isu',
);
