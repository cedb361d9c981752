/** What a question asks for the row with: the most or the least of something. */
export type Extreme = 'most' | 'least';

const edges = (list: string): RegExp => new RegExp(`(?<![\\p{L}\\p{M}-])(?:${list})(?![\\p{L}\\p{M}-])`, 'iu');

/** In English, German, French, Spanish, Italian, Dutch, Portuguese, Polish and Russian. */
const most = edges(
  [
    'most|highest|largest|biggest|greatest',
    'meisten?|höchsten?[rsmn]?|größten?[rsmn]?',
    "le plus(?: (?:de|d[’']|élevée?s?|grande?s?|haute?s?))?|la plus (?:élevée|grande|haute)|les plus (?:élevée?s|grande?s|haute?s)",
    'más(?: (?:alt[oa]s?|grandes?|elevad[oa]s?))?|mayor(?:es)?',
    'più(?: (?:alt[oaie]|grand[ei]|elevat[oaie]))?|maggior[ei]?',
    'meeste|hoogste|grootste',
    'mais(?: (?:alt[oa]s?|grandes?|elevad[oa]s?))?|maior(?:es)?',
    'najwięcej|najwyższ\\p{L}+|największ\\p{L}+',
    'больше всего|сам(?:ый|ая|ое|ые|ую|ого|ой|ым|ом) (?:больш|высок)\\p{L}+|наибольш\\p{L}+',
  ].join('|'),
);
const least = edges(
  [
    'fewest|least|lowest|smallest',
    'wenigsten?|niedrigsten?[rsmn]?|kleinsten?[rsmn]?|geringsten?[rsmn]?',
    "le moins(?: (?:de|d[’']|élevée?s?))?|la moins élevée|les moins élevée?s|(?:le|la|les) plus (?:bas(?:se)?s?|petite?s?|faibles?)",
    'menos|menor(?:es)?|más (?:baj[oa]s?|pequeñ[oa]s?)',
    'meno|minor[ei]?|più (?:bass[oaie]|piccol[oaie])',
    'minste|laagste|kleinste',
    'mais (?:baix[oa]s?|pequen[oa]s?)',
    'najmniej|najniższ\\p{L}+|najmniejsz\\p{L}+',
    'меньше всего|сам(?:ый|ая|ое|ые|ую|ого|ой|ым|ом) (?:маленьк|низк)\\p{L}+|наименьш\\p{L}+',
  ].join('|'),
);
/** A word that asks which one, and a question that begins with it, or with a word that leans on it. */
const asksWhich =
  /^\P{L}*(?:(?:in|at|on|from|für|an|bei|mit|dans|à|en|de|a|con|da|di|met|van|em|com|w|na|z|в|на|у|с) )?(?:which|what|who|where|when|welche[rsmn]?|wer|wo|wann|quel(?:le)?s?|qui|où|qu[eé]|cuál(?:es)?|quién(?:es)?|dónde|qual[ei]?|quais|quem|onde|che|chi|dove|welke?|wie|waar|któr\p{L}+|jak\p{L}+|kto|gdzie|как\p{L}+|котор\p{L}+|кто|где|у кого)(?!\p{L})/iu;
/** `At least two` and `the most likely cause` ask for no row. */
const otherwise =
  /(?<!\p{L})(?:at (?:least|most)|most (?:likely|common(?:ly)?|often|recent(?:ly)?|important)|more than)(?!\p{L})/iu;

/** The words by which a question asks for the row with most or least of something; undefined for other questions. */
export function extremeAsked(question: string): { readonly extreme: Extreme; readonly words: string } | undefined {
  if (!asksWhich.test(question) || otherwise.test(question)) return undefined;
  const down = least.exec(question);
  const found = down ?? most.exec(question);
  return found ? { extreme: down ? 'least' : 'most', words: found[0] } : undefined;
}

const total =
  /^\W*(?:(?:grand |sub)?total(?:e|en|es|s)?|sub-?total|sum|all|average|mean|overall|gesamt\p{L}*|summe|insgesamt|durchschnitt|mittelwert|ensemble|moyenne|suma|media|somma|complessivo|totaal|gemiddelde|soma|média|razem|średnia|łącznie|итого|всего|среднее)(?!\p{L})/iu;

/** Whether a label is that of a row that sums up others. */
export function isTotal(label: string): boolean {
  return total.test(label);
}
