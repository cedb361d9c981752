/** How a question begins that only names what is to stand in the question before it: `And`, `What about`, `Und`. */
export const followUpLead: RegExp =
  /^[\s¿¡]*(?:(?:and|but|or|so)(?:\s+(?:what|how)\s+about)?|(?:what|how)\s+about|(?:und|aber)(?:\s+(?:was\s+ist\s+mit|wie\s+ist\s+es\s+mit))?|was\s+ist\s+mit|et|mais|(?:y|e|o)(?:\s+qué\s+pasa\s+con)?|en|и|а)(?![\p{L}\p{N}])[\s,]*/iu;

/** Words that ask; `how` and `wie` stand before what is measured, too. */
const asks =
  'what|which|who(?:m|se)?|when|where|why|was|wer|wen|wem|wann|wo|warum|wieso|welche[rsnm]?|combien|comment|quand|où|pourquoi|qui|que|quell?e?s?|cuánt[oa]s?|cuándo|cómo|dónde|qué|quién(?:es)?|cuál(?:es)?|когда|кто|где|почему|сколько|какой|какая|какие|что|как';
const measured =
  'how(?:\\s+(?:many|much|long|often|far|old|soon|early|large|big|high|heavy))?|wie(?:\\s+(?:viele?|lange?|oft|weit|hoch|groß|alt|teuer|schwer))?|combien(?:\\s+de)?';
const preposition =
  "by|since|until|till|from|to|at|in|on|for|with|bis|seit|ab|von|zu|mit|für|depuis|jusqu['’]à|pour|à|avec|de|desde|hasta|para|con|por|a|с|до|от|для";

/** Question words at the beginning of a question: `By when`, `How many`, `Bis wann`. */
export const askingStart: RegExp = new RegExp(
  `^[\\s¿¡]*(?:(?:${preposition})\\s+)?(?:${measured}|${asks})(?![\\p{L}\\p{N}])`,
  'iu',
);

/** The word of it that asks; what is behind it may be what the question before is about: `How heavy`. */
export const askingWord: RegExp = new RegExp(`^[\\s¿¡]*(?:\\p{L}+\\s+)?(?:how|wie|${asks})(?![\\p{L}\\p{N}])`, 'iu');

/** Whether a question asks for more than what stands in the place of something: it has a verb of its own. */
export const ownVerb: RegExp =
  /(?<![\p{L}\p{N}])(?:is|are|was|were|do|does|did|has|have|had|can|may|must|should|will|ist|sind|war|waren|hat|haben|kann|darf|muss|est|sont|était|a-t-\p{L}+|peut|doit|es|son|está|tiene|puede|hay)(?![\p{L}\p{N}])/iu;

/** Begins a part of a question that says where, when or of what. */
export const linkingWord: RegExp =
  /^(?:in|on|at|of|for|to|from|by|with|without|during|under|after|before|between|since|until|per|im|am|an|auf|aus|bei|beim|für|mit|ohne|nach|seit|von|vom|vor|zu|zum|zur|en|dans|à|au|aux|de|du|des|pour|par|sur|avec|sans|chez|depuis|del|para|por|con|sin|desde|hasta|в|во|на|для|с|со|из|от|до|без|при|за)$/iu;

/** Begins what a question is about: `the oven`, `my dog`. */
export const determiner: RegExp =
  /^(?:the|an?|my|our|your|this|that|der|die|das|den|dem|ein|eine|einen|einem|einer|mein|meine|meinen|le|la|les|un|une|mon|ma|mes|el|los|las|una|mi|mis)$/iu;

/** Behind it stands who does it, and then the verb: `does the generator last`. */
export const helpingVerb: RegExp = /^(?:do|does|did|can|may|must|should|could|will|would|shall)$/iu;
/** Behind it stands what something is said of, up to the end: `is the processor`. */
export const beingVerb: RegExp = /^(?:is|are|was|were|ist|sind|war|waren|est|sont|était|es|son|era)$/iu;
/** Stands before a verb, and does what it says. */
export const personalSubject: RegExp = /^(?:i|we|you|they|he|she|it|one|people)$/iu;
/** Asks for an amount of what stands behind it: `How much sugar`. */
export const amountAsked: RegExp =
  /^[\s¿¡]*(?:how\s+(?:much|many)|which|what|wie\s+viele?|combien\s+d(?:e\s|['’])|cuánt[oa]s?)\s*/iu;
