import type { Question } from './question.ts';

/** Works something out once for each question: a rule asks it for every sentence. */
export function once<T>(workOut: (question: Question) => T): (question: Question) => T {
  const known = new WeakMap<Question, { readonly value: T }>();
  return (question) => {
    let found = known.get(question);
    if (found === undefined) {
      found = { value: workOut(question) };
      known.set(question, found);
    }
    return found.value;
  };
}
