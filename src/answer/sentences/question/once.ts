import type { Question } from './question.ts';

/** What stands for `undefined` where something was worked out. */
const nothing = Symbol('nothing');
let slots = 0;

/** Works something out once for each question: a rule asks it for every sentence. */
export function once<T>(workOut: (question: Question) => T): (question: Question) => T {
  const slot = slots++;
  return (question) => {
    const found = question.workedOut[slot];
    if (found !== undefined) return (found === nothing ? undefined : found) as T;
    const value = workOut(question);
    question.workedOut[slot] = value === undefined ? nothing : value;
    return value;
  };
}
