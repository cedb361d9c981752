/** In English, German, Spanish, French, Italian, Portuguese and Dutch: whole names, then short ones. */
const months = [
  'january february march april may june july august september october november december',
  'jan feb mar apr may jun jul aug sep oct nov dec',
  'januar februar märz april mai juni juli august september oktober november dezember',
  'jan feb mär apr mai jun jul aug sep okt nov dez',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'ene feb mar abr may jun jul ago sept oct nov dic',
  'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  'janv févr mars avr mai juin juil août sept oct nov déc',
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  'gen feb mar apr mag giu lug ago set ott nov dic',
  'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
  'jan fev mar abr mai jun jul ago set out nov dez',
  'januari februari maart april mei juni juli augustus september oktober november december',
  'jan feb mrt apr mei jun jul aug sep okt nov dec',
];

const weekdays = [
  'monday tuesday wednesday thursday friday saturday sunday',
  'montag dienstag mittwoch donnerstag freitag samstag sonntag',
  'lunes martes miércoles jueves viernes sábado domingo',
  'lundi mardi mercredi jeudi vendredi samedi dimanche',
  'lunedì martedì mercoledì giovedì venerdì sabato domenica',
  'segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo',
  'maandag dinsdag woensdag donderdag vrijdag zaterdag zondag',
];

const numbered = (lists: readonly string[], first: number): ReadonlyMap<string, number> =>
  new Map(lists.flatMap((list) => list.split(' ').map((name, i): [string, number] => [name, first + i])));

/** Names of months, whole and short, in lower case without a point, by the number of the month from 1 on. */
export const monthsByName: ReadonlyMap<string, number> = numbered(months, 1);
/** Names of days of the week, in lower case, from Monday, 0, on. */
export const weekdaysByName: ReadonlyMap<string, number> = numbered(weekdays, 0);

/** Such names in English and German, which write them with a capital; not `march` and `may`, which are other words too. */
export const capitalNames: ReadonlySet<string> = new Set(
  [months[0]!, months[2]!, ...weekdays.slice(0, 2)]
    .flatMap((names) => names.split(' '))
    .filter((name) => !['march', 'may', 'mai'].includes(name)),
);
