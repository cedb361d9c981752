import { GuardedPattern } from '../guarded-pattern.ts';

const roles: Readonly<Record<string, string>> = {
  en: 'author|writer|manager|line manager|owner|holder|lead|leader|head|chair|chairman|chairwoman|chairperson|sponsor|director|deputy|supervisor|boss|landlord|tenant|buyer|seller|editor|teacher|coach|captain|founder|designer|architect|inventor|secretary|treasurer|president|coordinator|mentor|contact|contact person|engineer|officer',
  de: 'autorin?|autors?|verfassers?|verfasserin|leiters?|leiterin|chefs?|chefin|vorgesetzten?|inhabers?|inhaberin|eigentümers?|eigentümerin|besitzers?|besitzerin|verantwortlichen|vorsitzenden|trainers?|trainerin|lehrers?|lehrerin|stellvertreters?|stellvertreterin|gründers?|gründerin',
  fr: 'auteure?|autrice|responsable|directeur|directrice|chef|cheffe|propriétaire|présidente?|fondateur|fondatrice|secrétaire|trésori(?:er|ère)|gérante?|rédact(?:eur|rice)',
  es: 'autora?|responsable|director|directora|jefe|jefa|dueño|dueña|propietari[oa]|president[ea]|fundadora?|secretari[oa]|tesorer[oa]|encargad[oa]',
};

interface Step {
  /** Before the role, which stands behind it in the group `role`, and what it is a role in, in `thing`. */
  readonly pattern: GuardedPattern;
  readonly asksWho: (role: string, thing: string) => string;
}

const step = (language: string, of: string, ofThing: string, asksWho: Step['asksWho']): Step => ({
  pattern: new GuardedPattern(
    `^(?<before>.*(?<![\\p{L}\\p{N}])${of}\\s*)(?<role>(?:\\p{L}+ )?(?:${roles[language]})) (?<thing>${ofThing}(?![\\p{L}]).{2,})$`,
    'iu',
  ),
  asksWho,
});

const steps: readonly Step[] = [
  step('en', '(?:of|to|for|does|did|is|has|was) the', '(?:of|for)', (role, thing) => `Who is the ${role} ${thing}?`),
  step('de', '(?:des|der|vom|von der)', '(?:des|der|von|vom|für)', (role, thing) => `Wer ist ${role} ${thing}?`),
  step(
    'fr',
    "(?:du|de la|de l['’])",
    "(?:du|des|de la|de l['’]|de|d['’])",
    (role, thing) => `Qui est ${role} ${thing} ?`,
  ),
  step('es', '(?:del|de la)', '(?:del|de la|de los|de las|de)', (role, thing) => `¿Quién es ${role} ${thing}?`),
];

/** Words behind `the owner of the boat` that are no part of it: `Where does the owner of the boat live?` */
const verbBehind =
  / (?<verb>(?:have|work|sit|live|come from|speak|earn|report to|belong to|use|start|do|study|die)(?: in| at| on)?)$/iu;

/** `Who is the owner of the boat?`, which a question asks within, and that question with a name in its place. */
interface RoleAsked {
  readonly who: string;
  with(name: string): string;
}

/** The person that a question calls by a role alone: `the author of the survey` in `Who is the manager of the author of the survey?` */
export function roleAsked(question: string): RoleAsked | undefined {
  const bare = question.replace(/[\s?？!.]+$/u, '').replace(/^¿/u, '');
  for (const { pattern, asksWho } of steps) {
    const groups = pattern.exec(bare)?.groups;
    if (groups === undefined) continue;
    const before = groups.before!;
    // what is asked first must be of that person: `Who is the owner of the boat?` is one question
    if (
      (/^(?<said>.*)\s/su.exec(before)?.groups?.said?.match(/\p{L}{2}/gu) ?? []).length < 2 ||
      /^(?:who|wer|qui|quién) \p{L}+ (?:the|der|die|le|la|el)\s*$/iu.test(before)
    )
      continue;
    const isSubject = /(?:does|did|has|is|was) the\s*$/iu.test(before);
    const verb = isSubject ? (verbBehind.exec(groups.thing!)?.groups?.verb ?? '') : '';
    if (isSubject && verb === '') continue;
    const thing = verb === '' ? groups.thing! : groups.thing!.replace(verbBehind, '');
    const start = before.replace(/(?:the|des|der|du|de la|de l['’]|del)\s*$/iu, (article) =>
      /^(?:the)\s*$/iu.test(article) ? '' : ofName(article),
    );
    return { who: asksWho(groups.role!, thing), with: (name) => `${start}${name}${verb === '' ? '' : ` ${verb}`}?` };
  }
  return undefined;
}

const ofName = (article: string): string => (/^d(?:es|er)/iu.test(article) ? 'von ' : 'de ');

const possessive = /(?<![\p{L}\p{N}])(?:his|her)(?= (?!(?:and|or|in|at|on|to|for|with|by)\b)\p{L})/iu;
const personal = /(?<![\p{L}\p{N}])(?:he|she|him|her)(?![\p{L}\p{N}])/iu;

/** A follow-up with a name in the place of `he`, `she`, `his`; undefined where it has none of these words. */
export function withPerson(question: string): ((name: string) => string) | undefined {
  if (possessive.test(question)) return (name) => question.replace(possessive, () => `${name}'s`);
  if (personal.test(question)) return (name) => question.replace(personal, () => name);
  return undefined;
}
