/** Monday first: in English, German, French, Spanish, Italian, Dutch, Portuguese, Polish and Russian, short forms behind. */
const names: readonly string[] = [
  'monday mon montag mo lundi lun lunes lunedì maandag ma segunda segunda-feira seg poniedziałek pon понедельник пн',
  'tuesday tue tues dienstag di mardi mar martes martedì dinsdag terça terça-feira ter wtorek wt вторник вт',
  'wednesday wed weds mittwoch mi mercredi mer miércoles mié mercoledì woensdag wo quarta quarta-feira qua środa śr środę среда ср среду',
  'thursday thu thur thurs donnerstag do jeudi jeu jueves jue giovedì gio donderdag quinta quinta-feira qui czwartek czw четверг чт',
  'friday fri freitag fr vendredi ven viernes vie venerdì vrijdag vr sexta sexta-feira sex piątek pt пятница пт пятницу',
  'saturday sat samstag sonnabend sa samedi sam sábado sáb sabato sab zaterdag za sobota sob sobotę суббота сб субботу',
  'sunday sun sonntag so dimanche dim domingo dom domenica zondag zo niedziela niedz niedzielę воскресенье вс',
];
const ofName = new Map<string, Set<number>>();
names.forEach((list, day) => {
  for (const name of list.split(' ')) ofName.set(name, (ofName.get(name) ?? new Set()).add(day));
});
const week = 7;
/** So short a name may be another word, or of another language's day. */
const leastOfWhole = 5;

const to = /^(?:[-–—−]|to|till|until|through|thru|bis|à|au|a|al|tot|t\/m|do|по|até)$/u;
const and = /^(?:[,/&+;]|and|und|et|y|e|en|i|и)$/u;
const part = /\p{L}[\p{L}\p{M}]*(?:\/m)?|[-–—−,/&+;]/gu;
const aside = /\.|-feira|\ben met\b|\b(?:le|les|du|de|lo|los|von|from)\b/gu;

/** The day that a word names whole, from 0 for Monday, one or many: `Wednesdays`, `mittwochs`, `среду`; else undefined. */
export function dayNamed(word: string): number | undefined {
  if (word.length < leastOfWhole) return undefined;
  const [day] = ofName.get(word) ?? ofName.get(word.replace(/s$/, '')) ?? [];
  return day;
}

/**
 * The days that a label stands for, from 0 for Monday, where it says nothing else: `Mon–Thu`, `Sa, So`, `lundi au
 * mercredi`; none for others.
 */
export function daysOf(label: string): ReadonlySet<number> {
  const none: ReadonlySet<number> = new Set();
  if (label.length > 60 || /\p{N}/u.test(label)) return none;
  const parts = label.toLowerCase().replace(aside, ' ').match(part) ?? [];
  const out = new Set<number>();
  let last: number | undefined;
  let isRange = false;
  for (const [i, one] of parts.entries()) {
    const days = ofName.get(one) ?? ofName.get(one.replace(/s$/, ''));
    if (days !== undefined && !(last !== undefined && to.test(one) && i + 1 < parts.length && !isRange)) {
      const day =
        days.size === 1 ? [...days][0]! : ([...days].find((each) => each === (last ?? -2) + 1) ?? [...days][0]!);
      if (isRange) for (let each = last!; each !== day; each = (each + 1) % week) out.add(each);
      out.add(day);
      [last, isRange] = [day, false];
    } else if (last !== undefined && to.test(one)) isRange = true;
    else if (last === undefined || !and.test(one)) return none;
  }
  return isRange ? none : out;
}

const opening =
  /^(?:opens?|opened|opening|closed|closes|hours|times|geöffnet|offen|auf|öffnungszeiten|geschlossen|zeiten|ouverte?s?|fermée?s?|horaires?|heures|abiert[oa]s?|cerrad[oa]s?|horarios?|abre|apert[oaie]|chius[oaie]|orari[oi]?|apre|geopend|gesloten|openingstijden|abert[oa]s?|fechad[oa]s?|horários?|otwart\p{L}*|zamknięt\p{L}*|godziny|открыт\p{L}*|закрыт\p{L}*|часы|работает)$/u;

/** Whether a word asks when something is open. */
export function isOpening(word: string): boolean {
  return opening.test(word);
}
