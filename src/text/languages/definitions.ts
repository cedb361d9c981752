import { GuardedPattern } from '../guarded-pattern.ts';

const article =
  "(?:(?:an?|the|some|eine?[nrms]?|der|die|das|de[nm]|une?|la|les?|des|los?|las|el|un[ao]s?|il|gli|i|os?|as?|um(?:as?|s)?|en|ett|et|de|een|het)\\s+|(?:l|d|un|qu)['’]\\s?)?";

/** `the term "mens rea"` */
const word = '(?:(?:the )?(?:terms?|words?|phrase|expression|acronym|abbreviation) )?';

/** `… mean under the licence` */
const wherever = '(?: (?:in|under|within|for|according to)(?: [^ ?]+){1,5})?';

/** `no-magic`, `crane::lift()` */
const identifier = '\\S+[-_.:]\\S+';
/** Verbs for the work of a rule, a check or a setting. */
const acting =
  '(?:allow|check|control|detect|disallow|enforce|ensure|flag|forbid|limit|permit|prevent|prohibit|report|require|restrict|validate|verify|warn about)';

const patterns: readonly (readonly [source: string, asksUse: boolean])[] = [
  [`what (?:is|are|was|were) ${article}(?:purpose|point|function|role|use|job|aim) of ${article}(.+)`, true],
  [`what (?:is|are|was|were) ${article}(.+?) (?:used )?for`, true],
  [`what (?:does|do|did) ${article}(.+?) do`, true],
  [
    `what (?:does|do|did) ${article}(${identifier}(?: \\p{L}+)?|\\S+ (?:check|flag|option|rule|setting)) ${acting}`,
    true,
  ],
  [`what (?:is|are) ${article}(?:meaning|definition|concept|notion|idea) of ${word}${article}(.+)`, false],
  [`what (?:does|do|did) ${word}${article}(.+?) (?:mean|stand for|refer to)${wherever}`, false],
  [
    `what (?:is meant by|counts as|count as|qualifies as|is (?:considered|regarded as|treated as)) ${word}${article}(.+)`,
    false,
  ],
  [`how (?:is|are|was|were) ${article}(.+?) defined${wherever}`, false],
  [`wie (?:ist|sind|wird|werden) ${article}(.+?) definiert`, false],
  [`comment (?:est|sont) définie?s? ${article}(.+)`, false],
  [`comment ${article}(.+?) (?:est|sont)-(?:il|elle)s? définie?s?`, false],
  [`cómo se definen? ${article}(.+)`, false],
  [`come (?:(?:è|sono) definit[oaie]|si definisc(?:e|ono)) ${article}(.+)`, false],
  [`was (?:gilt|zählt|gelten|zählen) als ${article}(.+)`, false],
  [`(?:what|who)(?:['’]s| is| are| was| were) ${article}(.+)`, false],
  [`(?:please )?define ${article}(.+)`, false],
  [`was (?:macht|tut) ${article}(.+)`, true],
  [`(?:was|wer) (?:ist|sind|war|waren|bedeutet|heißt|bezeichnet|versteht man unter) ${article}(.+)`, false],
  [`qu[eé] hacen? ${article}(.+)`, true],
  [`que f(?:ai|on)t ${article}(.+)`, true],
  [`(?:che )?cosa fa(?:nno)? ${article}(.+)`, true],
  [`o que faz(?:em)? ${article}(.+)`, true],
  [`wat doe(?:t|n) ${article}(.+)`, true],
  [`para qu[eé] sirven? ${article}(.+)`, true],
  [`qu[eé] (?:quieren? decir|se entiende por) ${article}(.+)`, false],
  [`(?:qu[eé]|qui[eé]n) (?:es|son|era|eran|fue|fueron|significa) ${article}(.+)`, false],
  [
    `wo(?:zu|für) (?:dient|dienen|serve[m]?|служит|служат|позволяет|позволяют|предназначена?|используется|erlaub(?:t|en)|consente|consentono|permettono|braucht man|ist|sind) ${article}(.+)`,
    true,
  ],
  [`para (?:o )?que servem? ${article}(.+)`, true],
  [`à quoi (?:sert|servent) ${article}(.+)`, true],
  [`(?:que veu(?:t|lent) dire|qu['’]entend-on par) ${article}(.+)`, false],
  [
    `(?:qu['’]est[- ]ce (?:que |qu['’])(?:c['’]est (?:que |qu['’]))?|que (?:signifie|désigne|sont) |qui (?:est|était) )${article}(.+)`,
    false,
  ],
  [`a (?:che )?cosa (?:serve|servono) ${article}(.+)`, true],
  [`(?:che )?cosa (?:vuole? dire|vogliono dire|si intende (?:per|con)) ${article}(.+)`, false],
  [`(?:(?:che )?cosa |(?:che )?cos['’]\\s?|chi )(?:è|sono|era|erano|significa) ${article}(.+)`, false],
  [`(?:o )?(?:que|quem) (?:é|são|era|significa) ${article}(.+)`, false],
  [`(?:для чего|зачем) (?:служ[иа]т|предназначен[аоы]?|нуж(?:ен|на|но|ны)) (.+)`, true],
  [`что делает (.+)`, true],
  [`(?:что|кто) (?:такое|такой|такая|такие|это|о?значает|означает|значит) (.+)`, false],
  [`(?:vad|hva|hvad|vem|hvem) (?:är|er|var|betyder|betyr) ${article}(.+)`, false],
  [`waarvoor (?:dient|dienen|is|zijn) ${article}(.+)`, true],
  [`(?:wat|wie) (?:is|zijn|was|waren|betekent|betekenen) ${article}(.+)`, false],
  [`(?:do czego|po co) służ(?:y|ą) (.+)`, true],
  [`(?:co|kto|czym) (?:to )?(?:jest|są|był[ao]?|oznacza|znaczy) (.+)`, false],
  [`k čemu (?:je|jsou|slouží) (.+)`, true],
  [`(?:co|kdo) (?:to )?(?:je|jsou|byl[aoi]?|znamená) (?:to )?(.+)`, false],
  [`для чого (?:призначен[аоі]|служ(?:ить|ать)|потріб(?:ен|на|не|ні)) (.+)`, true],
  [`(?:що|хто) (?:таке|такий|така|такі|це|означає|значить) (.+)`, false],
  [`τι (?:είναι|ήταν|σημαίνει) (?:(?:ο|η|το|οι|τα) )?(.+)`, false],
  [`(.+?) (?:dùng |được dùng )?để làm gì`, true],
  [`(.+?) (?:là (?:cái )?gì|là ai|(?:có )?nghĩa là gì)`, false],
  [`(.+?) ne işe yarar`, true],
  [`(.+?) (?:nedir|kimdir|ne demek(?:tir)?)`, false],
  [`mire (?:jó|való|szolgál) (?:(?:az?|egy) )?(.+)`, true],
  [`(?:mi|ki) (?:az?|egy|volt) (.+)`, false],
  [`mit jelent (?:(?:az?|egy) )?(.+)`, false],
  [`mihin (.+?) (?:käytetään|on tarkoitettu)`, true],
  [`(?:mikä|mitä|kuka) (?:on|ovat|oli|tarkoittaa|tarkoittavat) (.+)`, false],
  [`mitä (.+?) (?:tarkoittaa|tarkoittavat)`, false],
  [`apa(?:kah)? (?:itu|arti|pengertian|definisi|yang dimaksud(?: dengan)?) (?:dari )?(.+)`, false],
  [`(.+?) (?:چیست|چیستند|کیست|یعنی چه)`, false],
  [`(?:מה(?:ו|י|ם|ן)|מי(?:הו|הי)|מה ז(?:ה|את)) (.+)`, false],
  [`(.+?이?란) (?:무엇|뭐)(?:인가요?|입니까|이에요|예요)?`, false],
];

/** Asks what a thing is, means or does; the group is the thing. */
export const asksDefinition: readonly { readonly pattern: GuardedPattern; readonly asksUse: boolean }[] = patterns.map(
  ([source, asksUse]) => ({
    pattern: new GuardedPattern(`^[¿¡\\s]*${source}\\s*[?؟;\u037e.!\\s]*$`, 'diu'),
    asksUse,
  }),
);

/** Asks how a thing is defined, which may be told by a formula: `K is Q or 5.` */
export const asksHowDefined: RegExp =
  /^[¿\s]*(?:how .+ defined|wie .+ definiert|comment .*défini|cómo se define|come .*defini)/iu;

/** Where it is asked about, not what. */
export const beginsCircumstance: RegExp =
  /\s+(?:in|on|at|for|under|within|by|according|used|im?|bei|en|dans|nel(?:la)?|em|no|i|på)\s/iu;

/** `If it is new, …`; no `si`, with which an Italian sentence says what is done. */
export const beginsCondition: RegExp = /^\W*(?:if|when|whenever|unless|wenn|falls|quand|cuando|quando)(?!\p{L})/iu;

/** Before a thing that is one of many. */
export const indefiniteArticle: RegExp = /^(?:an?|eine[mnr]?|un[ae]?|uma?)$/u;

/** What a question says before a thing that is one of many. */
export const endsWithIndefinite: RegExp = /(?<![\p{L}\p{N}])(?:an?|eine?[mnr]?|un[aeo]?|uma?)\s+$/iu;

export const definiteArticle: RegExp = /^(?:the|der|die|das|de[mn]|les?|las?|el|los|il|lo|gli)$/iu;

/** Asks what a word means, not what a thing is. */
export const asksMeaning: RegExp =
  /\b(?:do|does|did) .+ mean\b|\bmeant by\b|\b(?:meaning|definition) of\b|^\W*(?:please )?define\b|\bwas (?:bedeutet|bedeuten|heißt)\b|\bque signifie(?:nt)?\b|\bqu[eé] significan?\b|\bcosa significan?o?\b|\bque veu(?:t|lent) dire\b|\bentend-on par\b|\bquieren? decir\b|\bse entiende por\b|\bcosa (?:vuole?|vogliono) dire\b|\bsi intende (?:per|con)\b|\bversteht man unter\b|\bo que significam?\b/iu;

/** Asks what a thing of some kind is, in English and German. */
export const asksWhatOneIs: RegExp =
  /^\W*(?:what is an?|was ist eine?) (?!.*\b(?:of|used|known|called|like)\b)(?!.* (?:with|for|to|by|from|at|in|on)\W*$)/iu;

/** Asks what is called by a name of one word, in English: `What is GEGL?` */
export const asksWhatNameIs: RegExp = /^\W*[Ww]hat(?:['’]s| is) \p{Lu}[\p{L}\p{N}.+#-]*\W*$/u;

/** Anything by which a sentence may say what a word means, wherever in it. */
export const explainsMeaning: RegExp =
  /\b(?:mean|refers? to|referred to|refere|denot|signif|defin|stands? for|short for|describ|call|term|known as|translat|deriv|i\.e\.|includ|comprises?|consists?|heiß|bedeut|bezeichn|désign|veut dire|appel|llam|designa|chama|vuol dire)|(?<!\p{L})(?:is|are|was|were|ist|sind|est|sont|es|son|è|sono|é|são) (?:an?|the|any|when|where|eine?|der|die|das|une?|les?|la|el|il|uma?)\b|["“„«(=:–—]/iu;

/** `Such a rope is called a hawser.`: what the name is of stands before. */
export const namesBefore: RegExp =
  /^\W*(?:(?:such|this|these|those|that|it|they)(?!\p{L})[^.]*?\b(?:is|are|was|were) (?:\p{L}+ )?(?:called|known as|referred to as|termed|named)\b|(?:solche?[rs]?|diese[rs]?|es|sie)(?!\p{L})[^.]*\b(?:heißt|heißen|genannt|bezeichnet)\b|(?:ce(?:t|tte|s|la)?|il|elle|on)(?!\p{L})[^.]*\b(?:appelle|appelée?s?|nommée?s?)(?!\p{L})|(?:est[ea]s?|es[ea]s?|se)(?!\p{L})[^.]*\b(?:llama\p{L}*|denomina\p{L}*)|(?:quest[aoei]|si)(?!\p{L})[^.]*\b(?:chiama\p{L}*|denomina\p{L}*))/iu;

/** Reads like a definition, of whatever. */
export const definitionCue: RegExp =
  /^[^,.;]{2,80}?(?<![\p{L}\p{N}_])(?:is|are|was|were|means|refers? to|denotes?|ist|sind|war|bezeichnet|bedeutet|es|son|era|est|sont|désigne|è|sono|são|er)\s+(?:an?|the|any|one|ein|eine|der|die|das|una?|uno|el|la|une?|le|il|lo|uma?|o|en|ett|et)(?![\p{L}\p{N}_])|是|指的?是|—|–/iu;

/** Of `"Pilot"` over `means a master who …`: the term is the subject. */
export const definesTerm: RegExp =
  /^\s*(?:(?:shall|will) )?(?:means?|refers?|includes?|denotes?|is|are|has|bedeutet|bezeichnet|ist|sind|désigne|signifie|est|significa|designa|es|è|é)\s/u;

/** Stands before what a thing is said to be. */
export const determiner: RegExp =
  /^(?:an?|the|each|every|any|all|one|our|eine?[nrms]?|der|die|das|une?|la|les?|des|los?|las|el|un[ao]s?|il|gli|lo|i|os?|as?|uma?s?|en|ett|et|de|een|het|ο|η|το|οι|τα|so-called|sogenannte[rns]?)$/u;

/** `l'espace`, `un'asta` */
export const elidedArticle: RegExp = /^(?:l|un)'\p{L}/u;

/** Said of a thing by its name: `the VACUUM command`. */
export const kindOfThing: RegExp =
  /^(?:algorithms?|attributes?|class(?:es)?|clauses?|columns?|commands?|constraints?|daemons?|devices?|directives?|elements?|endpoints?|events?|extensions?|features?|files?|flags?|formats?|functions?|headers?|hooks?|interfaces?|keywords?|languages?|library|libraries|machines?|macros?|methods?|modes?|modules?|objects?|operators?|options?|packages?|parameters?|patterns?|plugins?|pragmas?|programs?|properties|property|protocols?|rules?|scripts?|services?|settings?|software|statements?|systems?|tables?|tags?|targets?|tasks?|techniques?|technolog(?:y|ies)|tools?|types?|utilit(?:y|ies)|variables?|workflows?)$/u;

/** May stand beside the verb of a definition. */
export const adverbOfDefinition: RegExp =
  /^(?:also|simply|just|usually|normally|typically|often|commonly|generally|basically|essentially|here|therefore|thus|auch|también|aussi|anche)$/u;

/** `The type affinity of a column is …` */
export const ofWhat: RegExp = /^(?:of|in|for|von|eines|einer|des|der|de|du|del|della|do|da|av|van)$/u;

/** `is`, in languages that write an article behind it. */
export const copula: RegExp =
  /^(?:is|are|was|were|ist|sind|war|waren|es|son|era|eran|est|sont|était|è|sono|é|são|är|er|var|zijn)$/u;

/** Behind it, where something is done with the subject: `are used`, `are often considered` */
export const isDone: RegExp =
  /^(?:\p{L}+ed|made|found|built|set|put|given|taken|seen|known|kept|held|sold|done|also|always|never|often|usually|sometimes|now|not|then|ge\p{L}+[tn]|oft|auch|nicht)$/u;

/** Stands before it for no subject: `there is a` */
export const expletive: RegExp = /^(?:there|it|that|which|who|es|das|der|die)$/u;

/** `means`, or the like. */
export const meansVerb: RegExp =
  /^(?:means?|refers?|denotes?|stands?|bedeute[tn]|означает|означают|обозначает|bezeichne[tn]|significan?|désigne(?:nt)?|signifie(?:nt)?|indica(?:no)?|betyder)$/u;

/** Verbs for the use of a thing. */
export const servesVerb: RegExp =
  /^(?:describes?|represents?|defines?|consists?|allows?|lets?|enables?|provides?|helps?|makes?|adds?|removes?|checks?|disallows?|enforces?|warns?|reports?|returns?|creates?|causes?|converts?|contains?|holds?|stores?|reads?|writes?|sets?|gives?|computes?|determines?|specif(?:y|ies)|controls?|rebuilds?|prevents?|performs?|emits?|maps?|combines?|tells?|ensures?|dient|dienen|serve[m]?|служит|служат|позволяет|позволяют|предназначена?|используется|erlaub(?:t|en)|consente|consentono|permettono|ermöglich(?:t|en)|permite[n]?|permet(?:tent)?|sirven?|sert|servent|serve)$/u;

/** Behind `se` or `si`: `se usa para medir` */
export const isUsedVerb: RegExp = /^(?:usan?|utilizan?|emplean?|utiliz(?:za|zano)|usano|utilizam?|usam)$/u;

/** Verbs for the needs of a thing: its needs do not tell its use. */
export const needsVerb: RegExp = /^(?:requires?|needs?|takes?|uses?|supports?|accepts?)$/u;

/** Needs no article behind it. */
export const bareCopula: RegExp =
  /^(?:это|является|являются|представляет|представляют|jest|są|był[ao]?|je|jsou|byl[aoi]?|є|це|είναι|ήταν|là|adalah|ialah|merupakan|הוא|היא|הם|הן)$/u;

/** Of languages whose verb stands last. */
export const endsWithCopula: Readonly<Record<string, RegExp>> = {
  tr: /[dt][ıiuü]r[.\s]*$/u,
  fa: /(?:است|هستند|می‌باشد)[.\s]*$/u,
  ko: /(?:이다|입니다|였다|말한다|뜻한다|의미한다)[.\s]*$/u,
};

/** Behind the verb, it makes the sentence none that defines. */
export const deniesDefinition: RegExp =
  /^(?:not|never|n't|now|still|only|nicht|kein|keine|no|nunca|ne|pas|non|não|inte|ikke|niet|geen|nie|není|не|δεν|không|bukan|לא)$/u;

/** `Ballast: This is the weight in the keel.` */
export const definesEntry: RegExp =
  /^["'”’*_`)]*:["'*_`]*\s+(?:(?:this|it) is|(?:these|they) are|da?s ist|dies ist|c['’]est|es|è|é)\s+(?:an?|the|eine?|der|die|das|une?|le|la|l['’]|el|il|un[ao]?|uma?|o)(?!\p{L})/iu;

/** Asks what letters stand for. */
export const asksLetters: RegExp =
  /\b(?:stands? for|mean|meaning|meant|abbreviat|acronym|spelled out|short for)|(?<!\p{L})(?:bedeute[tn]|steht|heißt|abkürzung|signifie|significa|abréviation|abreviatura|abbreviazione|sigla|sigle)(?!\p{L})/iu;

/** Says what letters or a name stand for. */
export const saysStandsFor: RegExp =
  /(?<!\p{L})(?:stands? for|is short for|abbreviates|steh(?:t|en) für|ist die abkürzung|signifie|significa|est l['’]abréviation)(?!\p{L})/iu;

/** Asks what something is one of, or how it works, in English and German. */
export const asksClass: RegExp =
  /(?<!\p{L})(?:kinds?|sorts?|types? of|genre|nationality|ethnicity|profession|occupation|structure|purpose|difference|means?|known as|called|work|differ|art von|beruf|unterschied|bedeutet)(?!\p{L})/iu;

/** Asks what something has: `What is the budget of the play?` A definition does not say it. */
export const asksWhatItHas: RegExp =
  /^\W*what(?: is|['’]s| was| are| were) (?:the|[\p{L} ]{1,40}['’]s) (?!(?:main |primary |original |official |current |overall |basic |general )?(?:name|title|definition|concept|idea|nature|essence|role|aim|goal|objective|function|use|job|position|rank|title|status|origin|theme|subject|topic|plot|setting|point|significance|importance|relationship|difference|identity|reason|cause|effect|result|class|category|type|form|format|language family)s?(?!\p{L}))\p{L}/iu;

/** Before the name of a place, or of what is one. */
export const locates: RegExp =
  /(?<!\p{L})(?:in|on|at|of|from|near|along|across|throughout|into|within|around|aus|im|am|an|von|bei|auf|en|à|aux?|dans|sur|d[eu]|des|del|della|nel|nella|em|n[ao]) (?:\p{L}+ ){0,3}?\p{Lu}|, \p{Lu}/u;

/** Before a name, of what somebody did: `a novel by Ann Moor` */
export const namesAfterAgent: RegExp =
  /(?<!\p{L})(?:by|from|of|to|von|durch|d[eu]|di|par|por|da|d['’]) ?(?:the |an? |der |de[mn] )?(?:\p{L}+ ){0,3}?\p{Lu}/u;
