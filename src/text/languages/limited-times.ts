import { monthsByName, weekdaysByName } from './calendar.ts';

const fewestLetters = 4;
const named = [...monthsByName.keys(), ...weekdaysByName.keys()].filter((name) => name.length >= fewestLetters);
const others =
  'may|mai|winters?|summers?|spring|autumn|sommers?|frühling|frühjahr|herbst|hiver|été|printemps|automne|invierno|verano|primavera|otoño|inverno|estate|autunno|holidays?|weekends?|(?:high|low|off) season|feiertage?n?|wochenenden?|hochsaison|nebensaison|jours fériés|week-ends?|haute saison|basse saison|festivos|fines? de semana|temporada alta|temporada baja|festivi|fine settimana|alta stagione|bassa stagione';

const limited = String.raw`(?:(?:but|however,|aber|mais|pero|ma) )?(?:in|on|at|during|from|between|over|im|an|am|während|von|zwischen|en|au|aux|pendant|de|du|les?|durante?|los|el|entre|nei|la|di|da) (?:\p{L}+ ){0,2}?(?:${named.join('|')}|${others})(?:s|n)?(?!\p{L}| \p{N})`;

/** Names a part of the year or week in which something else may hold. */
export const limitedTime: RegExp = new RegExp(limited, 'iu');
/** Begins with it: `In July and August`, `On public holidays`. */
export const limitedFirst: RegExp = new RegExp(`^${limited}`, 'iu');
