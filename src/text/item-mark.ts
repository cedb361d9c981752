/** The source of a pattern: what begins an item of a list, a bullet or a number; in AsciiDoc a full stop, and two in a list inside. */
export const itemMark: string = String.raw`(?:[-*+•‣▪]|\.{1,2}|\*{2,5}|\d{1,3}[.)])`;
