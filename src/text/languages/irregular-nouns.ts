import { nounForms } from './word-forms.ts';

const singulars = new Map(
  [...nounForms, ['basis', 'bases']].flatMap((forms) => forms.map((form) => [form, forms[0]!])),
);

/** The singular of an English noun, in lower case, whose plural has another stem: `child` for `children` and for `child`. */
export function irregularNoun(word: string): string | undefined {
  return singulars.get(word);
}
