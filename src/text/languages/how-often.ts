import { GuardedPattern } from '../guarded-pattern.ts';

/** Asks how often something happens, in English, German, French, Spanish, Italian, Portuguese, Russian, Chinese, Japanese. */
export const asksHowOften: RegExp =
  /how often|how frequently|wie oft|wie häufig|combien de fois|quelle fréquence|con qué frecuencia|cada cuánto|con (?:che|quale) frequenza|ogni quanto|com que frequência|как часто|多久.{1,12}次|頻度/iu;

const counts = String.raw`(?:\p{N}+|two|three|four|five|six|several|zwei|drei|vier|fünf|sechs|deux|trois|quatre|cinq|dos|tres|cuatro|cinco|seis|due|tre|quattro|cinque|sei|duas|três|quatro|dois|два|две|три|четыре|пять|шесть)`;
const time = `(?:second|minute|hour|day|night|week|month|quarter|year)s?`;
const sources = [
  String.raw`(?:once|twice|thrice|${counts} times) (?:a|an|per|each|every) \p{L}+`,
  `(?:every|each) (?:${counts} )?${time}`,
  'hourly|daily|nightly|weekly|fortnightly|monthly|quarterly|yearly|annually',
  String.raw`(?:ein|zwei|drei|vier|fünf|sechs|\p{N}+[ -]?)mal (?:pro|am|im|in der|täglich|wöchentlich|monatlich|jährlich)`,
  '(?:stünd|täg|nächt|wöchent|monat|viertel ?jähr|jähr)lich',
  `jede[nrs]? (?:minute|stunde|tag|nacht|woche|monat|jahr)|alle ${counts} (?:minuten|stunden|tage|wochen|monate|jahre)`,
  `(?:une|${counts}) fois (?:par|tou)|chaque (?:minute|heure|jour|nuit|semaine|mois|année)`,
  String.raw`tou(?:te)?s les (?:${counts} )?(?:minutes|heures|jours|nuits|semaines|mois|ans)|quotidien\p{L}*|hebdomadaire\p{L}*|mensuel\p{L}*`,
  `(?:una|${counts}) (?:vez|veces) (?:al|por|a la|cada)|cada (?:${counts} )?(?:minutos?|horas?|días?|noches?|semanas?|meses|mes|años?)`,
  'todos los (?:días|meses|años)|todas las (?:noches|semanas)|a diario|diariamente|semanal(?:mente)?|mensual(?:mente)?|anual(?:mente)?',
  `(?:una|${counts}) volt[ae] (?:al|all['’]|ogni)|ogni (?:${counts} )?(?:minut[oi]|or[ae]|giorn[oi]|notte|settiman[ae]|mes[ei]|ann[oi])`,
  'quotidian\\p{L}+|giornalmente|settimanal\\p{L}+|mensil\\p{L}+|annualmente',
  `(?:uma|${counts}) vez(?:es)? (?:por|ao|à)|(?:todos os|cada|a cada) (?:${counts} )?(?:minutos?|horas?|dias?|m[eê]s(?:es)?|anos?)|todas as (?:noites|semanas)|mensal(?:mente)?`,
  String.raw`(?:дважды|трижды|(?:${counts} )?раза?) в (?:минуту|час|день|сутки|неделю|месяц|год)|кажд(?:ый|ую|ые|ое) (?:${counts} )?(?:минут|час|день|дн|ноч|недел|месяц|год|лет)\p{L}*`,
  'ежечасн\\p{L}+|ежедневн\\p{L}+|еженедельн\\p{L}+|ежемесячн\\p{L}+|ежегодн\\p{L}+',
];
const often: readonly GuardedPattern[] = [
  ...sources.map((source) => String.raw`(?<![\p{L}\p{N}])(?:${source})(?!\p{L})`),
  String.raw`毎[日週月年晩朝時分]|每(?:隔|[天日周週月年晚时時分]|小时|小時|个月)|[日週月年天]に?\s?[\p{N}一二三四五六]+\s?[回次]|[日週月年天周][\p{N}一二两兩三四五六]+次|\p{N}+\s?(?:日|週間|か月|ヶ月|時間|分)(?:ごと|毎|おき)`,
].map((source) => new GuardedPattern(source, 'iu'));

/** Whether a text says how often something happens: `twice a day`, `alle zwei Wochen`, `每天`. */
export function saysHowOften(text: string): boolean {
  return often.some((pattern) => pattern.test(text));
}

/** A clause that says beside what else something is so, in English, German, French, Spanish and Italian. */
const aside =
  /(?<!\p{L})(?:while|during|although|though|because|if|unless|während|obwohl|wenn|falls|pendant|quand|mientras|durante|cuando|mentre|quando)(?!\p{L})[^,;.]*/giu;

/** Whether a sentence says how often, and not only by the way: `Ropes rot while the daily watch sleeps.` */
export function statesHowOften(text: string): boolean {
  return saysHowOften(text) && saysHowOften(text.replace(aside, ''));
}

/** Says how often without a number, in English, German, French, Spanish and Italian. */
const vaguely =
  /(?<!\p{L})(?:often|rarely|seldom|frequent(?:ly)?|regular(?:ly)?|usually|always|never|sometimes|occasionally|constantly|continuously|times?|once|twice|whenever|between|after|before|until|oft|selten|häufig|regelmäßig|immer|nie|manchmal|mal|einmal|nach|souvent|rarement|régulièrement|toujours|jamais|parfois|fois|après|menudo|raramente|siempre|nunca|regularmente|vez|veces|después|spesso|sempre|mai|regolarmente|volt[ae]|dopo)(?!\p{L})|(?<!\p{L})\p{L}+(?:days|tags)(?!\p{L})/iu;

/** Whether a text says nothing of how often, not even by words that count nothing. */
export function saysNotHowOften(text: string): boolean {
  return !saysHowOften(text) && !vaguely.test(text);
}
