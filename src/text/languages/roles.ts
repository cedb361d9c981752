import { GuardedPattern } from '../guarded-pattern.ts';

const roles: Readonly<Record<string, string>> = {
  en: 'author|writer|manager|line manager|owner|holder|lead|leader|head|chair|chairman|chairwoman|chairperson|sponsor|director|deputy|supervisor|boss|landlord|tenant|buyer|seller|editor|teacher|coach|captain|founder|designer|architect|inventor|secretary|treasurer|president|coordinator|mentor|contact|contact person|engineer|officer|mayor|governor|minister|king|queen|emperor|empress|bishop|rector|dean|producer|composer|screenwriter|performer|singer|star|creator|conductor|painter|sculptor|translator|host|husband|wife|spouse|widow|father|mother|son|daughter|brother|sister|grandfather|grandmother|uncle|aunt|successor|predecessor|executive|chief executive|principal|brewer|trainer|driver|farmer|banker|lawyer|keeper|builder|baker|gardener|photographer|commander|speaker|organi[sz]er|developer|programmer|maintainer|reviewer|curator|administrator|chef|pilot|nurse|doctor|surgeon|judge|ambassador|chancellor|librarian|scientist|artist|pianist|guitarist|drummer|vocalist|playwright',
  de: 'autorin?|autors?|verfassers?|verfasserin|leiters?|leiterin|chefs?|chefin|vorgesetzten?|inhabers?|inhaberin|eigentümers?|eigentümerin|besitzers?|besitzerin|verantwortlichen|vorsitzenden|trainers?|trainerin|lehrers?|lehrerin|stellvertreters?|stellvertreterin|gründers?|gründerin|bürgermeisters?|bürgermeisterin|regisseurs?|regisseurin|komponisten?|komponistin|mann(?:es)?|ehemann(?:es)?|frau|ehefrau|vaters?|mutter|bruders?|schwester|sohn(?:es)?|tochter|nachfolgers?|vorgängers?',
  fr: 'auteure?|autrice|responsable|directeur|directrice|chef|cheffe|propriétaire|présidente?|fondateur|fondatrice|secrétaire|trésori(?:er|ère)|gérante?|rédact(?:eur|rice)|maire|réalisateur|réalisatrice|compositeur|compositrice|mari|épou(?:x|se)|femme|père|mère|frère|sœur|fils|fille|successeur|prédécesseur',
  es: 'autora?|responsable|director|directora|jefe|jefa|dueño|dueña|propietari[oa]|president[ea]|fundadora?|secretari[oa]|tesorer[oa]|encargad[oa]|alcaldes?|alcaldesa|compositora?|marido|espos[oa]|padre|madre|herman[oa]|hij[oa]|sucesora?|predecesora?',
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

/** `the engineer who built the lock`, `the firm founded by Ann Moor`: the clause is what is asked first. */
const clause = (joining: string, asking: (noun: string) => string): Step => ({
  pattern: new GuardedPattern(
    `^(?<before>.*(?<![\\p{L}\\p{N}])(?:of|to|for|by|does|did|is|has|was) the\\s*)(?<role>\\p{L}+(?: \\p{L}+)?) ${joining}$`,
    'u',
  ),
  asksWho: (noun, told) => `${asking(noun)} ${told}?`,
});
const told = String.raw`(?<thing>(?!(?:the|an?|he|she|it|they|we|I|you)(?!\p{L}))\p{Ll}.+)`;

const steps: readonly Step[] = [
  clause(`who ${told}`, () => 'Who'),
  clause(`(?:that|which) ${told}`, (noun) => `Which ${noun}`),
  clause(String.raw`(?<thing>\p{Ll}+(?:ed|en|ilt|un) (?:by|in|at|on|for) .+)`, (noun) => `Which ${noun} was`),
  step('en', '(?:of|to|for|does|did|is|has|was) the', '(?:of|for)', (role, thing) => `Who is the ${role} ${thing}?`),
  step(
    'de',
    '(?:des|der|vom|von der|(?:starb|wurde|wohnt|lebt|arbeitet|studierte) (?:der|die))',
    '(?:des|der|von|vom|für)',
    (role, thing) => `Wer ist ${role} ${thing}?`,
  ),
  step(
    'fr',
    "(?:du|de la|de l['’]|(?:née?|morte?|habite|vit|travaille) (?:le|la|l['’]))",
    "(?:du|des|de la|de l['’]|de|d['’])",
    (role, thing) => `Qui est ${role} ${thing} ?`,
  ),
  step(
    'es',
    '(?:del|de la|(?:nació|murió|vive|trabaja|estudió) (?:el|la))',
    '(?:del|de la|de los|de las|de)',
    (role, thing) => `¿Quién es ${role} ${thing}?`,
  ),
];

/** Words behind `the owner of the boat` that are no part of it: `Where does the owner of the boat live?` */
const verbBehind =
  / (?<verb>(?:have|work|sit|live|come|speak|earn|report|belong|use|start|do|study|die|marry|win|found|play|practi[sc]e|attend|graduate|grow up|write|direct|compose|produce|paint|design|build|become|serve|receive|make|teach|retire|lead|own|join|leave|move|lose|represent|close|open|begin|end|stand|lie|appear|cost|weigh|flow|train|run|perform|sing|travel|invent|discover|resign|born|buried|raised|educated|trained|killed|married|elected|appointed|hired|promoted|from|geboren|begraben|gewählt|ernannt)(?: in| at| on| from| to| for| with| as)?(?: (?:before|after|until) .+)?)$/iu;

/** Words before a role that does something: the name stands in the place of its article. */
const subjectBehind =
  /(?:does|did|has|is|was|starb|wurde|wohnt|lebt|arbeitet|studierte|née?|morte?|habite|vit|travaille|nació|murió|vive|trabaja|estudió) (?:(?:the|der|die|le|la|el)\s*|l['’])$/iu;
/** The same, where the verb that says it stands there. */
const verbBefore = /(?<!\p{L})(?!does|did|has|is|was|wurde)\p{L}+ (?:(?:der|die|le|la|el)\s*|l['’])$/iu;
/** `What nationality is the owner of the boat?`, `How old is the owner of the boat?`: no verb stands behind. */
const asksAttribute = /^(?:what|which|how) \p{L}+(?: \p{L}+)? (?:is|was) the\s*$/iu;
/** `Where does the wife of the owner of the boat live?`: the verb is hers. */
const ofSubject = new GuardedPattern(
  `(?:does|did|has|is|was) the (?:\\p{L}+ )?(?:${roles.en}) (?:of|for) the\\s*$`,
  'iu',
);
/** The name is all that is asked for: one question. */
const nameOf = /(?<!\p{L})(?:names?|name[ns]?|noms?|nombres?) (?:of the|des|der|du|de la|del)\s*$/iu;

/** `Who is the owner of the boat?`, which a question asks within, and that question with a name in its place. */
interface RoleAsked {
  readonly who: string;
  /** A thing may have a name of one word. */
  readonly isThing: boolean;
  with(name: string): string;
}

/** `the boat’s owner`, as `the owner of the boat` */
const ownersOf = new GuardedPattern(
  `^(?<before>.*(?<!\\p{L})(?:is|was|did|does|has|of|to|for) )(?<thing>(?:the )?[\\p{L}\\p{N}][^'’]*)['’]s (?<role>(?:\\p{L}+ )?(?:${roles.en}))(?<behind> .+|)$`,
  'iu',
);

const ofThing = (question: string): string => {
  const groups = ownersOf.exec(question)?.groups;
  if (groups === undefined || (groups.behind === '' && !/(?:of|to|for) $/iu.test(groups.before!))) return question;
  return `${groups.before}the ${groups.role} of ${groups.thing}${groups.behind}`;
};

/** The person that a question calls by a role alone: `the author of the survey` in `Who is the manager of the author of the survey?` */
export function roleAsked(question: string): RoleAsked | undefined {
  const bare = ofThing(question.replace(/[\s?？!.]+$/u, '').replace(/^¿/u, ''));
  for (const { pattern, asksWho } of steps) {
    const groups = pattern.exec(bare)?.groups;
    if (groups === undefined) continue;
    const before = groups.before!;
    // what is asked first must be of that person: `Who is the owner of the boat?` is one question
    if (
      (/^(?<said>.*)\s/su.exec(before)?.groups?.said?.match(/\p{L}{2}/gu) ?? []).length < 2 ||
      /^(?:who|wer|qui|quién) \p{L}+ (?:the|der|die|le|la|el)\s*$/iu.test(before) ||
      nameOf.test(before)
    )
      continue;
    const isSubject = subjectBehind.test(before);
    const isOfSubject = ofSubject.test(before);
    const verb = isSubject || isOfSubject ? (verbBehind.exec(groups.thing!)?.groups?.verb ?? '') : '';
    if (isSubject && verb === '' && !asksAttribute.test(before) && !verbBefore.test(before)) continue;
    const thing = verb === '' ? groups.thing! : groups.thing!.replace(verbBehind, '');
    const start = isSubject
      ? before.replace(/(?:\p{L}+\s*|l['’])$/iu, '')
      : before.replace(/(?:the|des|der|du|de la|de l['’]|del)\s*$/iu, (article) =>
          /^the\s*$/iu.test(article) ? '' : ofName(article),
        );
    const who = asksWho(groups.role!, thing);
    return {
      who,
      isThing: who.startsWith('Which'),
      with: (name) => `${start}${name}${verb === '' ? '' : ` ${verb}`}?`,
    };
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
