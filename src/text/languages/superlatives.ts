import { GuardedPattern } from '../guarded-pattern.ts';

/** What a question asks for the row with: the most or the least of something. */
type Extreme = 'most' | 'least';

const edges = (list: string): GuardedPattern =>
  new GuardedPattern(`(?<![\\p{L}\\p{M}-])(?:${list})(?![\\p{L}\\p{M}-])`, 'iu');

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
/** A word that says by itself what is compared: which names a column of that has, in the same languages. */
interface Measured {
  readonly extreme: Extreme;
  readonly words: GuardedPattern;
  readonly column: RegExp;
  /** The names of a column of which the least is the most of what the word compares. */
  readonly turned: RegExp | undefined;
  /** Whether the word may be said of other things too: `the longest battery life`. */
  readonly isLoose: boolean;
}

const column = (list: string): RegExp => new RegExp(`(?<!\\p{L})(?:${list})(?!\\p{L})`, 'iu');
const price = column(
  '(?:unit )?prices?|hire|costs?|fees?|fares?|charges?|tariffs?|rents?|gebühr(?:en)?|tarife?|mieten?|frais|tarifs?|loyers?|(?:\\p{L}*)preise?|kosten|prix|coûts?|precios?|costes?|prezz[oi]|cost[oi]|prijs|preço|cena|цена',
);
const weight = column('weights?|mass|(?:\\p{L}*)gewicht|masse|poids|peso|massa|waga|вес');
const length = column(
  'length|duration|(?:\\p{L}*)länge|dauer|longueur|durée|longitud|duración|lunghezza|durata|lengte|duur',
);
const size = column(
  'sizes?|areas?|surface|totals?|amounts?|sums?|value|seats?|capacity|betrag|summe|(?:\\p{L}*)plätze|montant|capacité|importe|plazas|(?:\\p{L}*)größe|(?:\\p{L}*)fläche|taille|superficie|tamaño|dimension[ei]|grandezza|grootte|oppervlakte|tamanho|wielkość|powierzchnia',
);
const height = column('height|(?:\\p{L}*)höhe|hauteur|altura|altezza|hoogte');
const speed = column('(?:top )?speed|(?:\\p{L}*)geschwindigkeit|vitesse|velocidad|velocità|snelheid');
const age = column('age|alter|âge|edad|età|leeftijd');
/** The older, the smaller the year. */
const beginning = column(
  '(?:year )?(?:built|made|constructed|founded|established|opened|born|acquired|bought|planted|laid)|(?:year|date) of (?:birth|construction|foundation|manufacture|purchase)|year|since|baujahr|gründung(?:sjahr)?|gegründet|geburtsjahr|gebaut|année|construite? en|fondée? en|né(?:e)? en|año|fundad[oa]|nacid[oa]|anno|costruit[oa]|fondat[oa]|nat[oa]',
);

const measured: readonly Measured[] = [
  [
    'least',
    'cheapest|least expensive|billigsten?[rsmn]?|günstigsten?[rsmn]?|(?:le|la|les) moins chère?s?|más barat[oa]s?|meno car[oaie]|più economic[oaie]|goedkoopste|mais barat[oa]s?|najtańsz\\p{L}+|дешевле всего',
    price,
  ],
  [
    'most',
    'dearest|priciest|most expensive|teuersten?[rsmn]?|(?:le|la|les) plus chère?s?|más car[oa]s?|più car[oaie]|duurste|mais car[oa]s?|najdroższ\\p{L}+|дороже всего',
    price,
  ],
  [
    'most',
    'heaviest|schwersten?[rsmn]?|(?:le|la|les) plus lourde?s?|más pesad[oa]s?|più pesant[ei]|zwaarste|mais pesad[oa]s?|najcięższ\\p{L}+',
    weight,
  ],
  [
    'least',
    'lightest|leichtesten?[rsmn]?|(?:le|la|les) plus (?:légers?|légères?)|más liger[oa]s?|più legger[oaie]|lichtste|mais leves?|najlżejsz\\p{L}+',
    weight,
  ],
  ['most', 'tallest', height],
  ['most', 'fastest|schnellsten?[rsmn]?|(?:le|la|les) plus rapides?|más rápid[oa]s?|più veloc[ei]|snelste', speed],
  ['least', 'slowest|langsamsten?[rsmn]?|(?:le|la|les) plus lente?s?|más lent[oa]s?|più lent[oaie]|traagste', speed],
  [
    'most',
    'oldest|ältesten?[rsmn]?|(?:le|la|les) plus (?:ancienn?e?s?|vieux|vieilles?)|más antigu[oa]s?|più (?:antic[oah]i?|vecchi[oae]?)',
    age,
  ],
  [
    'least',
    'youngest|newest|jüngsten?[rsmn]?|neu(?:e)?sten?[rsmn]?|(?:le|la|les) plus (?:récente?s?|jeunes?)|más nuev[oa]s?|più (?:nuov[oaie]|recent[ei])',
    age,
  ],
  ['most', 'longest|längsten?[rsmn]?|(?:le|la|les) plus long(?:ue)?s?|más larg[oa]s?|più lungh?[oaie]|langste', length],
  ['least', 'shortest|kürzesten?[rsmn]?|(?:le|la|les) plus courte?s?|más cort[oa]s?|più cort[oaie]|kortste', length],
  [
    'most',
    'largest|biggest|größten?[rsmn]?|(?:le|la|les) plus grande?s?|más grandes?|più grand[ei]|grootste|maior(?:es)?|największ\\p{L}+',
    size,
  ],
  [
    'least',
    'smallest|kleinsten?[rsmn]?|(?:le|la|les) plus petite?s?|más pequeñ[oa]s?|più piccol[oaie]|kleinste|menor(?:es)?|najmniejsz\\p{L}+',
    size,
  ],
].map(([extreme, words, of]) => ({
  extreme: extreme as Extreme,
  words: edges(words as string),
  column: of as RegExp,
  turned: of === age ? beginning : undefined,
  isLoose: of === length || of === size,
}));

/** Words for the latest and the earliest time, whatever its column is called. */
const timed: readonly (readonly [Extreme, GuardedPattern])[] = [
  [
    'most',
    edges(
      'most recent(?:ly)?|latest|newest|youngest|last|jüngsten?[rsmn]?|neu(?:e)?sten?[rsmn]?|letzten?[rsmn]?|zuletzt|spätesten?[rsmn]?|(?:le|la|les) plus (?:récente?s?|récemment)|derni(?:er|ère)s?|más (?:recientes?|nuev[oa]s?)|últim[oa]s?',
    ),
  ],
  [
    'least',
    edges(
      'earliest|first|oldest|longest[- ]serving|(?:here|with us|employed|a member) (?:the )?longest|frühesten?[rsmn]?|ersten?[rsmn]?|zuerst|ältesten?[rsmn]?|(?:le|la|les) plus (?:ancienn?e?s?|tôt)|premi(?:er|ère)s?|más antigu[oa]s?|primer[oa]?s?',
    ),
  ],
];

/** A word that asks which one, and a question that begins with it, or with a word that leans on it. */
const asksWhich =
  /^\P{L}*(?:(?:in|at|on|of|for|with|from|für|an|bei|mit|dans|à|en|de|a|con|da|di|met|van|em|com|w|na|z|в|на|у|с) )?(?:which|what|who|where|when|welche[rsmn]?|wer|wo|wann|quel(?:le)?s?|qui|où|qu[eé]|cuál(?:es)?|quién(?:es)?|dónde|qual[ei]?|quais|quem|onde|che|chi|dove|welke?|wie|waar|któr\p{L}+|jak\p{L}+|kto|gdzie|как\p{L}+|котор\p{L}+|кто|где|у кого)(?!\p{L})/iu;
/** `At least two` and `the most likely cause` ask for no row. */
const otherwise = /(?<!\p{L})(?:at (?:least|most)|most (?:likely|common(?:ly)?|often|important)|more than)(?!\p{L})/iu;

/** What a question asks for the row with. */
export interface AskedExtreme {
  readonly extreme: Extreme;
  readonly words: string;
  /** The names of the column that is meant, where the words say it; `isLoose` where the question may name another. */
  readonly column?: RegExp;
  readonly turned?: RegExp | undefined;
  readonly isLoose?: boolean;
}

/** The words by which a question asks for the row with most or least of something; undefined for other questions. */
export function extremeAsked(question: string): AskedExtreme | undefined {
  if (!asksWhich.test(question) || otherwise.test(question)) return undefined;
  for (const { words, ...own } of measured) {
    const said = words.exec(question);
    if (said) return { ...own, words: said[0] };
  }
  const down = least.exec(question);
  const found = down ?? most.exec(question);
  return found ? { extreme: down ? 'least' : 'most', words: found[0] } : undefined;
}

/** The words by which a question asks for the row with the latest or the earliest time; undefined for other questions. */
export function timeExtremeAsked(question: string): Pick<AskedExtreme, 'extreme' | 'words'> | undefined {
  if (!asksWhich.test(question) || otherwise.test(question)) return undefined;
  for (const [extreme, words] of timed) {
    const said = words.exec(question);
    if (said) return { extreme, words: said[0] };
  }
  return undefined;
}

const total =
  /^\W*(?:(?:grand |sub)?total(?:e|en|es|s)?|sub-?total|sum|all|average|mean|overall|gesamt\p{L}*|summe|insgesamt|durchschnitt|mittelwert|ensemble|moyenne|suma|media|somma|complessivo|totaal|gemiddelde|soma|média|razem|średnia|łącznie|итого|всего|среднее)(?!\p{L})/iu;

/** Whether a label is that of a row that sums up others. */
export function isTotal(label: string): boolean {
  return total.test(label);
}
