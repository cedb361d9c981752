/** A word of a question, and the names of the columns that have what it asks for. */
interface ColumnWords {
  readonly asks: RegExp;
  readonly names: RegExp;
  /** Such names, as a search for them has them. */
  readonly search: string;
}

/** In English, German, French and Spanish. */
const columnWords: readonly ColumnWords[] = [
  {
    asks: /^(?:earn(?:s|ed|ing)?|paid|pays?|verdien(?:t|en|te)|gagne(?:nt)?|gana[n]?|cobra[n]?)$/u,
    names:
      /salar(?:y|ies)|\bpay\b|wages?|income|earnings|compensation|gehalt|lohn|verdienst|salaire|rémunération|sueldo|salario/iu,
    search: 'salary salaries pay wage income Gehalt Lohn salaire sueldo',
  },
  {
    asks: /^(?:costs?|priced?|cheaper|dearer|expensive|billiger|günstiger|teurer|kostet(?:e|en)?|kosten|coûte(?:nt)?|cuestan?)$/u,
    names:
      /\b(?:prices?|costs?|fees?|fares?|rates?|rents?|hire)\b|preis|kosten|gebühr|miete|prix|coût|tarif|loyer|precio|coste|costo|tarifa/iu,
    search: 'price cost fee rent Preis prix coût precio',
  },
  {
    asks: /^(?:weighs?|heavier|lighter|schwerer|leichter|wieg(?:t|en)|pèse(?:nt)?|pesan?)$/u,
    names: /weight|gewicht|poids|\bpeso\b/iu,
    search: 'weight Gewicht poids peso',
  },
  {
    asks: /^(?:taller|tall|higher|high|höher|hoch|haute?s?|alt[oa]s?)$/u,
    names: /height|höhe|hauteur|altura|elevation/iu,
    search: 'height Höhe hauteur altura',
  },
  {
    asks: /^(?:longer|shorter|takes?|lasts?|dauer[tn]|dure(?:nt)?|duran?|länger|kürzer|longue?s?|courte?s?|larg[oa]s?|cort[oa]s?)$/u,
    names: /length|duration|länge|dauer|longueur|durée|longitud|duración/iu,
    search: 'length duration Länge Dauer longueur durée longitud duración',
  },
  {
    asks: /^(?:older|younger|älter|jünger|âgée?s?|mayor(?:es)?)$/u,
    names: /\bage\b|\balter\b|\bâge\b|\bedad\b/iu,
    search: 'age Alter âge edad',
  },
  {
    asks: /^(?:join(?:s|ed)?|start(?:s|ed)?|here|hired|began|begins?|begonnen|angefangen|eingetreten|eingestellt|beginn(?:t|en)|arrivée?s?|embauchée?s?|commencée?s?|commence(?:nt)?|entr[óoe]\p{L}*|empez\p{L}+|empiezan?|contratad[oa]s?)$/u,
    names:
      /\b(?:start(?:s|ed|ing)?|joined|joining|hired?|since|begin(?:s|ning)?|from)\b|eintritt|eingestellt|beginn|\bseit\b|entrée|embauche|arrivée|début|\bdepuis\b|inicio|ingreso|contratación|\bdesde\b/iu,
    search: 'start date started joined hired since Eintritt Beginn seit entrée embauche inicio ingreso',
  },
  {
    asks: /^(?:ends?|ended|expires?|expired|finish(?:es|ed)?|end(?:et|en|ete)|läuft|laufen|enden|expire(?:nt)?|termine(?:nt)?|finit|acaban?|terminan?|vencen?|caducan?)$/u,
    names:
      /\b(?:ends?|ending|expir\p{L}+|until|till|valid to)\b|ende|ablauf|\bbis\b|\bfin\b|échéance|expiration|vencimiento|caducidad|\bhasta\b/iu,
    search: 'end date ends expires expiry until Ende fin échéance vencimiento',
  },
  {
    asks: /^(?:born|geboren|née?s?|nacid[oa]s?|naci(?:ó|eron))$/u,
    names: /birth|\bborn\b|geburt|naissance|\bnée?\b|nacimiento/iu,
    search: 'birth born Geburtsdatum naissance nacimiento',
  },
  {
    asks: /^(?:built|constructed|opened|founded|gebaut|erbaut|eröffnet|gegründet|construite?s?|ouverte?s?|fondée?s?|construid[oa]s?|abiert[oa]s?|fundad[oa]s?)$/u,
    names:
      /built|construct|opened|opening|founded|^year$|baujahr|erbaut|gründung|eröffn|^jahr$|constru|ouverture|fondation|^année$|fundación|apertura|^año$/iu,
    search: 'year built opened founded Baujahr Jahr construction année construcción año',
  },
  {
    asks: /^(?:ordered|placed|bought|purchased|bestellt|gekauft|commandée?s?|achetée?s?|pedid[oa]s?|comprad[oa]s?)$/u,
    names:
      /\b(?:order(?:ed)?|placed|purchased?|bought) ?(?:date|on|day)?\b|bestell\p{L}*|kauf\p{L}*|commande|achat|pedido|compra/iu,
    search: 'order date ordered purchase Bestelldatum commande achat pedido compra',
  },
  {
    asks: /^(?:people|persons?|guests?|seats?|personen|gäste|leute|personnes|invités|personas|invitados)$/u,
    names: /seats?|capacity|guests?|plätze|sitzplätze|kapazität|places|capacité|plazas|capacidad|aforo/iu,
    search: 'seats capacity Plätze places capacité plazas capacidad',
  },
  {
    asks: /^(?:due|fällig|dues?|exigible|venc\p{L}+)$/u,
    names: /\bdue\b|deadline|fällig|échéance|vencimiento/iu,
    search: 'due date deadline fällig échéance vencimiento',
  },
  {
    asks: /^(?:amount(?:s|ed)?|came|total(?:s|led)?|worth|exceed(?:s|ed|ing)?|beträgt|betragen|wert|s['’]élève\p{L}*|dépasse(?:nt)?|superan?|asciende\p{L}*)$/u,
    names: /\b(?:amount|total|sum|value)\b|betrag|summe|wert|montant|valeur|importe|monto|valor/iu,
    search: 'amount total sum value Betrag Summe montant importe',
  },
];

/** Whether a column is called as what a word of a question asks for: `Salary`, and `earns`. */
export function isColumnOf(word: string, name: string): boolean {
  return columnWords.some(({ asks, names }) => asks.test(word) && names.test(name));
}

/** Names of the columns that have what words of a question ask for; '' where none says so. */
export function columnNamesFor(question: string): string {
  const words = question.toLowerCase().match(/[\p{L}’']+/gu) ?? [];
  return columnWords
    .filter(({ asks }) => words.some((word) => asks.test(word)))
    .map(({ search }) => search)
    .join(' ');
}

/** Words that lean on a cell of a row and say nothing of their own: `based` in `employees based in Lisbon`. */
export const leansOnCell: RegExp =
  /^(?:are|is|both|company|firm|organi[sz]ation|team|based|located|situated|stationed|live[sd]?|living|works?|working|worked|employed|sits?|belongs?|comes?|came|exists?|assigned|marked|listed|won|scored|sold|got|gets?|gave|did|received|made|costs?|sind|ist|sitzt|sitzen|arbeitet|arbeiten|wohn(?:t|en)|gehör(?:t|en)|liegt|liegen|stehen|steht|situé[e]?s?|basé[e]?s?|travaille(?:nt)?|habite(?:nt)?|trouve(?:nt)?|ubicad[oa]s?|trabajan?|viven?|están?)$/u;

/** Signs of currencies, and the words that say them in a question or over a column. */
export const currencies: ReadonlyMap<string, RegExp> = new Map([
  ['€', /^(?:€|eur|euros?)$/iu],
  ['$', /^(?:\$|usd|dollars?|dólares|dollar)$/iu],
  ['£', /^(?:£|gbp|pounds?|pfund|livres?|libras?)$/iu],
  ['¥', /^(?:¥|jpy|yen)$/iu],
  ['CHF', /^(?:chf|francs?|franken|sfr)$/iu],
]);

/** Units of one letter, by the words for them in English, German, French and Spanish. */
export const unitLetters: ReadonlyMap<string, RegExp> = new Map([
  ['m', /^(?:m|met(?:er|re)s?n?|mètres?|metros?)$/u],
  ['g', /^(?:g|gram(?:me?s?|m|s)?|gramos?)$/u],
  ['l', /^(?:l|lit(?:er|re)s?n?|litros?)$/u],
  ['t', /^(?:t|tons?|tonnes?|tonnen|toneladas?)$/u],
  ['w', /^(?:w|watts?|vatios?)$/u],
  ['v', /^(?:v|volts?|voltios?)$/u],
  ['h', /^(?:h|hours?|stunden?|heures?|horas?)$/u],
]);
