/** The source of a pattern: what begins an item of a list, a bullet or a number. */
export const itemMark: string = String.raw`(?:[-*+•‣▪]|\d{1,3}[.)])`;
