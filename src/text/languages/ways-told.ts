/** Asks how somebody does something, not how something works. English, as the kind of question is. */
export const asksWay: RegExp =
  /\b(?:how (?:to|(?:do|can|could|should|would|must|may|shall) (?:i|we|you|one|someone|somebody|people|users?|members?|guests?|visitors?|patients?|parents?|customers?))|what (?:must|should|do|can) (?:i|we|you|one) (?:have to |need to )?do (?:in order )?to|what is the (?:(?:best|easiest|fastest|quickest|right|simplest|usual) )?way to|where (?:do|can|must|should) (?:i|we|you|one)(?= (?:activate|adjust|change|choose|configure|disable|edit|enable|select|set|specify|switch|turn)\b))\b/iu;

const lead = String.raw`(?:(?:to|for|if|when|once|after|before|in|on|at|from|with)\b(?:[^.;:!?]|[.:](?=\S)){0,120}?,\s*(?:(?:then|please|simply|just|first|also)\s+)?|(?:first|then|next|finally|now|please|simply|just|again|also|always),?\s+)?`;
const object = String.raw`(?:the|an?|it|them|this|that|these|those|your|our|all|any|each|every|both|one|two|three|four|\p{N}+)`;

/** `Hold the button`, `To turn it on, open the menu` */
const imperative = new RegExp(
  String.raw`^[^\p{L}]*${lead}(?<verb>\p{L}{2,})(?:\s+(?:up|off|on|out|down|in|into))?\s+${object}(?![\p{L}-])`,
  'iu',
);
/** `by holding the button`, `You can call us`, `It can be ordered by post` */
const means =
  /\bby (?:the )?\p{L}+ing\b|\byou (?:can|could|may|must|should|need|have)\b|\b(?:can|may|must|should|has to|have to|needs? to) be \p{L}+(?:ed|en|t|ne|de)\b|\b(?:using|via)\b|(?<!\b(?:any|common|for|free|further|in|its|no|of|our|personal|private|public|that|the|their|this|your) )\buse\b(?! of\b)/iu;

/** `Among the tests`, `Normally these`, `Given a file`, `Running the tests`: no verb that tells to do something. */
const noVerb =
  /^(?:already|another|assume|avoid|beware|consider|consult|contact|else|ensure|first|furthermore|hence|however|imagine|indeed|instead|last|later|let|maybe|meanwhile|mind|moreover|next|note|notice|often|otherwise|recall|refer|remember|second|see|seldom|sometimes|soon|suppose|therefore|third|thus|today|whenever|wherever)$|^(?!(?:apply|comply|fly|imply|multiply|rely|reply|supply)$)\p{L}+ly$|^\p{L}{3,}ing$|^(?:above|across|after|against|all|along|although|among|around|because|before|behind|below|beneath|beside|besides|between|beyond|both|compared|concerning|despite|during|each|even|every|except|few|given|half|including|inside|just|like|many|most|much|near|now|once|one|only|other|outside|over|perhaps|plus|provided|rather|regarding|several|since|some|such|than|thanks|though|through|throughout|under|unless|unlike|until|upon|whereas|whether|while|within|without|yes)$/u;
/** `Inserts a file`: what something does. */
const thirdPerson = /^\p{L}{2,}[^sui]s$/u;
/** `Version 3` */
const numberedThing =
  /^[^\p{L}]*(?:chapter|figure|item|level|line|page|part|room|section|sheet|step|table|version|volume|week|year)\s+\p{N}/iu;
/** `Systems that run`: a relative clause. */
const relative = /^[^\p{L}]*\p{L}+s\s+that(?![\p{L}-])/u;

/** `Click Users`, `Press Ctrl+H`, `Choose "Save as"`: what is done with a program needs no article behind it. */
const handling = new RegExp(
  String.raw`^[^\p{L}]*${lead}(?:either\s+)?(?:add|browse|check|choose|clear|click|clone|close|configure|copy|create|delete|deselect|disable|double[- ]click|drag|drop|edit|enable|enter|execute|go|hit|hold|insert|install|issue|launch|make|mark|move|navigate|open|paste|pick|press|pull|push|put|remove|rename|replace|restart|right[- ]click|run|save|scroll|select|set|start|swipe|switch|tap|tick|toggle|turn|type|unchecked?|unmark|untick|unlock|use|visit|write)\s+(?!(?:is|are|was|were|of|has|have|can|will|may|must|should|and|or|by)(?![\p{L}-]))[^\s.!?]`,
  'iu',
);
/** `…, press the button`, `you must start it with`, behind a condition however long. */
const toldBehind =
  /\b(?<!\bnot )(?:just|simply|then|either|to do (?:so|this|that),|(?:you|users?|one) (?:can|could|should|must|(?:need|have) to)) (?:also |always |either |just |simply )?(?<verb>add|call|check|choose|click|copy|create|double[- ]click|drag|edit|enter|go|hold|issue|open|press|remove|replace|right[- ]click|run|select|set|specify|start|switch|tap|type|write) |(?:^|[,;] )(?:you|we) (?:can|could|should|must|need to|have to) use /iu;
/** `Tools → Settings`, `File > Print`, `choose Table - Merge Cells` */
const menuPath =
  /\p{Lu}[\p{L}\p{N} &+-]{0,40}[…)"”]? ?[→▸»⇒] ?["“]?\p{Lu}|\p{Lu}\p{L}{1,40} > \p{Lu}|\b(?:choose|select) \p{Lu}[\p{L} ]{0,60} - \p{Lu}|\b(?:access\w*|available|choos\w+|found|open\w*|pick\w*|reach\w*|select\w*|us(?:e|ing))\b[^.]{0,60}\b(?:(?:by|from|in|through|under|using) )?the [\p{L} ]{0,30}menu\b/u;

/** Whether a sentence tells what to do with a program: to press, choose or type something, or where in its menus. */
export function tellsHandling(sentence: string): boolean {
  return handling.test(sentence) || menuPath.test(sentence);
}

/** Whether a sentence says by the way what one can do: `…, and then press the button`, `You can use the tool to …` */
export function mentionsHandling(sentence: string): boolean {
  return toldBehind.test(sentence);
}

/** The verb that says so, in lower case. */
export function mentionedVerb(sentence: string): string | undefined {
  return toldBehind.exec(sentence)?.groups?.verb?.toLowerCase();
}

/** `Follow the instructions of that chapter.` */
export const pointsElsewhere: RegExp =
  /^\W*(?:please )?(?:follow|read|use)\b[^.]{0,60}\b(?:above|answer|article|chapter|documentation|guide|manual|page|section|tutorial)\b/iu;

/** What is done before or beside what is told: `Now that it is bent,`, `If you have bent it,`, `before bending it`. */
export const doneBeside: RegExp =
  /^\W*(?:now that|once|after|as soon as|(?:if|when) (?:\p{L}+ ){1,3}(?:has|have|had)|(?:if|when) \p{L}+['’]ve)(?!\p{L})[^,]{3,120},|\bwith\b[^,;]{3,160}\b\p{L}+ed,|\b(?:before|after|without|instead of|prior to) (?:\p{L}+ )?\p{L}+ing\b/giu;

/** `If you have an oar instead of a sail`: what is told is not of the one in the group `other`. */
export const insteadOf: RegExp =
  /^\W*(?:if|when|where|for) [^,.]{0,80}(?:instead of|rather than|other than) (?:an? |the )?(?<other>[\p{L}\p{N}]+)(?![\p{L}\p{N}-])[^,.]{0,40},/iu;

/** `A rest is entered with the letter r.` */
export const isDone: RegExp = /\b(?:is|are|gets?) (?:\p{L}+ly )?\p{L}+(?:ed|en|wn|pt|lt|ght|ade|put|set)\b/iu;

/** `You can use the following configuration.`, before what is shown below. */
export const showsBelow: RegExp =
  /(?:\b(?:the|these) following\b[^.:]*|\b(?:as follows|like this|as (?:shown )?below))[.:]?\W*$/iu;

/** Says what a page is about: `This tutorial shows how to draw lines.` */
export const announcesPage: RegExp =
  /^\W*(?:in this \p{L}+, (?:we|you)(?:['’]ll| will)? (?:cover|demonstrate|describe|discuss|explain|explore|learn|look|see|show)|(?:(?:this|the following) (?:tutorial|guide|chapter|section|page|article|document|manual|topic|help page)|these (?:pages|sections|chapters)) (?:(?:only|also|doesn['’]t) )?(?:is based|shows?|describes?|explains?|discuss(?:es)?|covers?|contains?|introduces?|address(?:es)?|deals?|tells?|uses?))\b/iu;

const alike: readonly string[] = [
  'change set edit modify adjust configure alter customise customize choose select',
  'create make add new define insert',
  'delete remove erase clear',
  'copy clone duplicate',
  'show display view see list',
  'restore recover undelete',
  'enable activate',
  'disable deactivate stop prevent',
  'import bring load',
  'ask request',
  'swap exchange switch',
];

/** Matches words that name the same act as a verb does; undefined where none is known. */
export function actsAlike(verb: string): RegExp | undefined {
  const found = alike.filter((words) => words.split(' ').includes(verb));
  if (found.length === 0) return undefined;
  const stems = found.flatMap((words) => words.split(' ')).map((word) => word.replace(/e$/, ''));
  const way = /^(?:en|a)/u.test(verb) ? 'on' : 'off';
  const phrase = switchable.test(verb)
    ? `|(?:turn|switch)(?:e[sd]|s|ed|ing)? (?:[\\p{L}-]+ ){0,4}?${way}(?![\\p{L}])`
    : '';
  return new RegExp(`(?<![\\p{L}])(?:(?:${stems.join('|')})(?:e|es|ed|ing|s|d|ting)?(?![\\p{L}])${phrase})`, 'iu');
}

const switchable = /^(?:en|dis)able$|^(?:de)?activate$/u;
const switches = /(?<!\p{L})(?:turn|switch)(?:e[sd]|s|ed|ing)?\b[^.?!]{0,60}?\b(on|off)\b/iu;

/** Matches words for the act that `turn`, `switch` and `off` are in `turn on` and `switch off`; undefined for all others. */
export function switchedBy(verb: string, question: string): RegExp | undefined {
  if (!/^(?:turn|switch|off$)/u.test(verb)) return undefined;
  const way = switches.exec(question)?.[1]?.toLowerCase();
  if (way === undefined) return undefined;
  return way === 'on' ? /^(?:enabl|activat)/u : /^(?:disabl|deactivat)/u;
}

/** `How can I tell whether it is on?`: what shows that is no act. */
export const asksHowKnown: RegExp =
  /\bhow (?:to|(?:do|can|could|should|would) \p{L}+) (?:know|tell|recogni[sz]e|identify|find out)\b/iu;

/**
 * The verb by which a sentence tells somebody to do something, in lower case; a function word is none.
 * @param isOfProgram it is a comment of a program, which says so what its code is for: `Inserts a file.`
 */
export function verbOfImperative(sentence: string, isOfProgram: boolean = false): string | undefined {
  const verb = imperative.exec(sentence)?.groups?.verb?.toLowerCase();
  if (verb === undefined || noVerb.test(verb) || (!isOfProgram && thirdPerson.test(verb))) return undefined;
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
