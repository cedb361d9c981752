import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { headerTextOf, textOf } from '../structure/unit-text.ts';

/** A question for a sum, a share or a time, and what a sentence says one with. */
interface Measure {
  readonly asks: RegExp;
  readonly holds: RegExp;
  /** Cells of a table may stand without it: their header says `Price`. */
  readonly bareInTables: boolean;
}

const price =
  'prices?|costs?|fees?|salary|salaries|wages?|pay|rent|revenues?|turnover|fine|deposit|net (?:income|profit)';
const pays = 'costs?|pays?|paid|earn(?:s|ed)?|spen[dt]|charged?|owed?|owes|fined|billed?|worth';

/** In English, German, French, Spanish, Italian, Portuguese, Russian and Chinese. */
const measures: readonly Measure[] = [
  {
    asks: /\bwhat (?:percentage|percent|proportion|share)\b|\bhow many percent\b|wie ?viel prozent|quel pourcentage|qué porcentaje|quale percentuale|que porcentagem|какой процент|百分之[几多]/iu,
    holds:
      /[%‰]|per ?cent|percentage|prozent|pour ?cent|por cien|per cento|por cento|процент|百分|\p{N}\s?\/\s?\p{N}|\b(?:half|halves|thirds?|quarters?|fourths?|fifths?|tenths?|one in|out of|hälfte|drittel|viertel|moitié|tiers|quart|mitad|tercio|metà|terzo|metade|terço)\b|половин|трет|четверт/iu,
    bareInTables: true,
  },
  {
    asks: new RegExp(
      [
        String.raw`\bhow much (?:is|are|was|were|do|does|did|can|could|must|should|has|have|will|would)\b.*\b(?:${pays})\b`,
        String.raw`\bwhat (?:do|does|did|will|would) .*\bcost\b`,
        String.raw`\bfor how much\b|\bhow many (?:us |american )?(?:dollars|euros|francs|yen|rupees|cents)\b`,
        String.raw`\bwhat(?:['’]s| is| was| are| were) (?:[\p{L}\p{N}'’.-]+ ){0,4}(?:${price})(?: (?:of|for|per|to|at|on|in)\b|[?\s]*$)`,
        String.raw`\b(?:was|wie ?viel) kost(?:en|et|ete)\b|\bwie teuer\b|\bcombien .{0,30}(?:coût|gagn|paye)|\bquel(?:le)?s? (?:est|était|sont) l(?:e|a|es) (?:prix|coûts?|loyers?|salaires?|tarifs?|frais)`,
        String.raw`\bwie hoch (?:ist|sind|war|waren) (?:der |die |das )?(?:preise?|kosten|miete|gehalt|gehälter|lohn|löhne|gebühr)`,
        String.raw`\bcuál(?:es)? (?:es|son|era) (?:el|la|los|las) (?:precio|coste|costo|alquiler|salario|sueldo|tarifa)`,
        String.raw`\bqual[ei]?['’]? ?(?:è|era|sono) (?:il|lo|la|i|gli|le) (?:prezz|cost|affitt|stipend|salari|tariff)`,
        String.raw`\bqua(?:l|is) (?:é|era|são) (?:o|a|os|as) (?:preço|custo|aluguel|aluguer|salário|ordenado|tarifa)`,
        String.raw`как(?:ая|ова|ой|ов|ую|овы) (?:\S+ )?(?:зарплат|цен[аы]|стоимост|плат[аы]|аренд|оклад)`,
        `(?:給料|給与|料金|価格|値段|家賃|費用|時給).*(?:いくら|何円|どのくらい|何です)|(?:工资|薪水|薪资|价格|价钱|租金|房租|费用).*(?:多少|几)`,
        String.raw`\bcuánto .{0,20}(?:cuesta|costó|gana|paga|cobra)|\bquanto .{0,20}(?:cost|custa)|сколько сто|多少钱`,
      ].join('|'),
      'iu',
    ),
    holds:
      /\p{Sc}|\b(?:price|cost|fee|rent|salary|wage|total)s?\W{1,4}\p{N}|\b(?:AUD|CAD|CHF|CNY|EUR|GBP|INR|JPY|RMB|SEK|USD|k[rč]|rs|zł|dollars?|euros?|pounds?|yen|cents?|pence|pesos?|rupees?|rubles?|yuan|francs?|franken|crowns?|kron(?:a|er?|or)|marks?|shillings?|lire|reais|crores?|lakhs?|free(?: of charge)?|gratis|kostenlos|gratuite?s?)\b|руб|[元円]/iu,
    bareInTables: true,
  },
  {
    asks: /\bhow many (?:seconds|minutes|hours|days|weeks|months|years)\b|wie ?viele (?:sekunden|minuten|stunden|tage|wochen|monate|jahre)|combien d(?:e |['’])(?:secondes|minutes|heures|jours|semaines|mois|années)|cuánt[oa]s (?:segundos|minutos|horas|días|semanas|meses|años)|quant[ie] (?:secondi|minuti|ore|giorni|settimane|mesi|anni)|quant[oa]s (?:segundos|minutos|horas|dias|semanas|meses|anos)|сколько (?:секунд|минут|часов|дней|недель|месяцев|лет)/iu,
    holds:
      /(?:second|minute|hour|day|week|month|year|decade|centur|night|sekunde|minute|stunde|tag|woche|monat|jahr|jour|heure|semaine|segundo|minuto|hora|día|semana|año|giorn|settiman|секунд|минут|недел|месяц|час|дн[еяй]|день|лет|год)|\b(?:mois|ans?|minut[oi]|or[ae]|ann[oi]|dias?|anos?|mesi|m[eé]s(?:es)?|mins?|hrs?|[hs])\b|\p{N}(?:ms|s|h|min)\b/iu,
    bareInTables: false,
  },
];

/** A sum, a share or a time is asked for, and neither the sentence nor what it is read with says one. */
export function lacksUnit({ text }: Question, candidate: Candidate): boolean {
  const isRow = candidate.unit.kind === 'row';
  const over = isRow ? [headerTextOf(candidate), ...candidate.headings] : [];
  const said = [textOf(candidate), ...over].join('\n');
  return measures.some(
    ({ asks, holds, bareInTables }) => !(isRow && bareInTables) && asks.test(text) && !holds.test(said),
  );
}
