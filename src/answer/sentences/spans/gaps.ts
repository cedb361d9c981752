const opens = /[([（"“”«„「『《'‘»]/;
const closes = /[)\]）"”“»«」』》'’]/;
/** Parts the items of a list. */
export const comma: RegExp = /[,،、，]/;
/** Marks that end a clause or a sentence. */
export const breaks: RegExp = /[.;:!?。！？；：؟।\n]/;
const dash = /[-–—/]/;

/** What parts two words: 0 blanks, 1 a comma, 2 a mark that opens or closes, 3 a break, 4 a dash, 5 an edge, 6 nothing. */
export const gapKinds = 7;
/** Of these, a bracket or quotation mark. */
export const quotation = 2;

function kindOf(gap: string, marks: RegExp, isEdge: boolean): number {
  if (gap === '') return isEdge ? 5 : 6;
  if (marks.test(gap)) return quotation;
  if (comma.test(gap)) return 1;
  if (breaks.test(gap)) return 3;
  return dash.test(gap) ? 4 : 0;
}

/** @param isEdge whether the sentence begins with it */
export function gapBefore(gap: string, isEdge: boolean): number {
  return kindOf(gap, opens, isEdge);
}

/** @param isEdge whether the sentence ends with it */
export function gapBehind(gap: string, isEdge: boolean): number {
  return kindOf(gap, closes, isEdge);
}
