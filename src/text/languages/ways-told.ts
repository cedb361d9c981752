/** Asks how somebody does something, not how something works. English, as the kind of question is. */
export const asksWay: RegExp =
  /\bhow (?:to|(?:do|can|could|should|would|must|may|shall) (?:i|we|you|one|someone|somebody|people|users?|members?|guests?|visitors?|patients?|parents?|customers?))\b/iu;

const lead = String.raw`(?:(?:to|for|if|when|once|after|before|in|on|at|from|with)\b(?:[^.;:!?]|[.:](?=\S)){0,120}?,\s*(?:then\s+|please\s+)?|(?:first|then|next|finally|now|please|simply|just|again|also|always),?\s+)?`;
const object = String.raw`(?:the|an?|it|them|this|that|these|those|your|our|all|any|each|every|both|one|two|three|four|\p{N}+)`;

/** `Hold the button`, `To turn it on, open the menu` */
const imperative = new RegExp(
  String.raw`^[^\p{L}]*${lead}(?<verb>\p{L}{2,})(?:\s+(?:up|off|on|out|down|in|into))?\s+${object}(?![\p{L}-])`,
  'iu',
);
/** `by holding the button`, `You can call us`, `It can be ordered by post` */
const means =
  /\bby (?:the )?\p{L}+ing\b|\byou (?:can|could|may|must|should|need|have)\b|\b(?:can|may|must|should|has to|have to|needs? to) be \p{L}+(?:ed|en|t|ne|de)\b|\b(?:use|using|via)\b/iu;

/** `Among the tests`, `Normally these`, `Given a file`, `Running the tests`, `Inserts a file`: no verb that tells to do something. */
const noVerb =
  /^(?:already|another|assume|beware|consider|consult|contact|else|furthermore|hence|however|imagine|indeed|instead|later|let|maybe|meanwhile|moreover|note|notice|often|otherwise|recall|refer|see|seldom|sometimes|soon|suppose|therefore|thus|today|whenever|wherever)$|^\p{L}{2,}(?:[^sui]s)$|^(?!(?:apply|comply|fly|imply|multiply|rely|reply|supply)$)\p{L}+ly$|^\p{L}{3,}ing$|^(?:above|across|against|along|although|among|around|because|behind|below|beneath|beside|besides|between|beyond|both|compared|concerning|despite|during|even|except|given|half|including|inside|just|like|most|much|near|only|outside|over|perhaps|plus|provided|rather|regarding|since|some|such|than|though|through|throughout|under|unless|unlike|until|upon|whereas|whether|while|within|without)$/u;
/** `Version 3` */
const numberedThing =
  /^[^\p{L}]*(?:chapter|figure|item|level|line|page|part|room|section|sheet|step|table|version|volume|week|year)\s+\p{N}/iu;
/** `Systems that run`: a relative clause. */
const relative = /^[^\p{L}]*\p{L}+s\s+that(?![\p{L}-])/u;

/** The verb by which a sentence tells somebody to do something, in lower case; a function word is none. */
export function verbOfImperative(sentence: string): string | undefined {
  const verb = imperative.exec(sentence)?.groups?.verb?.toLowerCase();
  if (verb === undefined || noVerb.test(verb)) return undefined;
  return numberedThing.test(sentence) || relative.test(sentence) ? undefined : verb;
}

/** Whether a sentence says by what means something is or may be done. */
export function saysMeans(sentence: string): boolean {
  return means.test(sentence);
}

export const onWord: RegExp = /\b(?:on|enabl\p{L}+|activat\p{L}+)\b/iu;
export const offWord: RegExp = /\b(?:off|disabl\p{L}+|deactivat\p{L}+)\b/iu;
/** Below the name of a thing it is told which button is pressed, not that this turns it on. */
export const switchVerb: RegExp = /^(?:turn|switch|enable|disable|activate|deactivate)$/u;
/** `with a cloth`, `at the desk`: with what or where something is done. */
export const saysWith: RegExp = /\b(?:by|with|via|using|through|at|online|(?:in|on|into) (?:the|an?|your|our))\b|`/iu;

/** Says what must or can be done. */
export const saysDuty: RegExp = /(?<!\p{L})(?:must|should|can|could|may|have to|need to|needs to|has to)(?!\p{L})/iu;

/** Tells what somebody can do, and by what: `You can pay by bank transfer.` */
export const saysOneCan: RegExp =
  /(?<!\p{L})(?:you|we|members|guests|visitors|customers|users) (?:can|may|should|must) [\p{L} ]{2,40}? (?:by|with|via|at|through|online|using|on)(?!\p{L})/iu;

/** Says how many there are, which the group is: `There are eleven members.` */
export const thereAre: RegExp =
  /^\W*(?:there (?:are|is|were|was)|es gibt|il y a|hay|ci sono) (?:about |only |nearly |over )?(\S+)/iu;
