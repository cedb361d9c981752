/** A mark that asks, as the source of a pattern. In Greek it is a semicolon behind Greek letters. */
export const questionMark: string = '(?:[?？؟]|(?<=[\\u0370-\\u03FF\\u1F00-\\u1FFF][^;\\n]{0,160});)';

/** Ends with a mark of a question. */
export const asksAtEnd: RegExp = new RegExp(`${questionMark}\\s*$`, 'u');
