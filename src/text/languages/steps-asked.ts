/** What a question wants of the steps of a list: the one by its number or by what is done in it, or one beside that. */
export interface StepAsked {
  /** 0: the step itself, 1: the next one, -1: the one before. */
  readonly by: 0 | 1 | -1;
  /** Where no number is given, it is said what is done. */
  readonly number: number | undefined;
  /** Offset in the question behind what asks. */
  readonly from: number;
}

const step = '(?:step|point|schritt|étape|paso)';
/** `What is step 5 of`, `What do I do in step 5`, and not `What happens if step 5 fails`. */
const numbered = new RegExp(
  String.raw`^\W*(?:what|which|was|qu['’]est-ce que|quelle|cuál|qué)\s+(?:is|does|are|happens|comes|do (?:i|we|you) (?:have to )?do|must (?:i|we|you) do|has to be done|is (?:to be )?done|ist|passiert|kommt|geschieht|(?:muss|soll) (?:ich|man)|es|est|hago|sucede)\s+(?<where>(?:(?:in|at|during|after|before|im|in|nach|vor|bei|en|à|después de|antes de|après|avant)\s+)?)(?:the |el |l['’])?${step}\s+(?<number>\d{1,3})(?!\p{N})`,
  'iu',
);
const directly = String.raw`(?:(?:right|directly|immediately|straight|just|next|unmittelbar|direkt)\s+)?`;
const following = new RegExp(
  String.raw`^\W*(?:what (?:(?:do|should|must|shall|can) (?:i|we|you|one) (?:have to )?do(?: next)?|comes(?: next)?|follows|is done|(?:has to|must|needs to) be done|is the (?:next|following) ${step}|is next)|which ${step} (?:comes|follows|is)(?: next)?|was (?:(?:muss|soll|mache|tue) ich|kommt|folgt|(?:macht|tut) man)|que (?:fait-on|faut-il faire)|qué (?:hago|se hace|viene))\s+${directly}(?:after|nach|nachdem|après|después de)\s+`,
  'iu',
);
/** Before something is done there are conditions too: only the step itself is asked for so. */
const preceding = new RegExp(
  String.raw`^\W*(?:what (?:comes|is the ${step})|which ${step} (?:comes|is)|was kommt|qué viene)\s+${directly}(?:before|vor|avant|antes de)\s+|^\W*what do (?:i|we|you) do (?:right|directly|immediately|just) before\s+`,
  'iu',
);
const after = /^(?:after|nach|après|después)/iu;
const before = /^(?:before|vor|avant|antes)/iu;

/** Which step of a numbered list a question asks for. */
export function stepAskedIn(question: string): StepAsked | undefined {
  const ofNumber = numbered.exec(question);
  if (ofNumber) {
    const { where = '', number } = ofNumber.groups!;
    return {
      by: after.test(where) ? 1 : before.test(where) ? -1 : 0,
      number: Number(number),
      from: ofNumber[0].length,
    };
  }
  const next = following.exec(question);
  const found = next ?? preceding.exec(question);
  return found === null ? undefined : { by: next ? 1 : -1, number: undefined, from: found[0].length };
}
