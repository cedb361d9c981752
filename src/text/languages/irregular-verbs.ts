import { verbForms } from './word-forms.ts';

/** Further forms, which a search leaves out, as they are those of another word too. */
const more = [
  'bind bound',
  'burn burned',
  'lay laid',
  'lie lay lain',
  'mow mowed mown',
  'override overrode overridden',
  'overwrite overwrote overwritten',
  'sew sewed sewn',
  'sow sowed sown',
  'spring sprang sprung',
].map((forms) => forms.split(' '));
/** More often a flower. */
const others: ReadonlySet<string> = new Set(['rose']);

/** Endings behind the dictionary form of a verb. */
const endings = ['', 's', 'es', 'ing'] as const;

const bases = new Map<string, string>();
for (const [base = '', ...past] of [...more, ...verbForms]) {
  const stem = base.replace(/e$/, '');
  const forms = [...endings.map((ending) => (ending === 'ing' ? stem : base) + ending), `${base}${base.at(-1)}ing`];
  // `lay` is the past of `lie` too: the verb named first keeps its form
  for (const form of [...past, ...forms]) if (!bases.has(form) && !others.has(form)) bases.set(form, base);
}

/** The form of the dictionary of an English irregular verb, in lower case: `stick` for `stuck` and for `sticks`. */
export function irregularVerb(word: string): string | undefined {
  return bases.get(word);
}

/** `gegründet`, `aufgerufen`, `aufzurufen`: what stands before `ge` or `zu`, and the stem with its end. */
export const germanParticiple: RegExp =
  /^((?:ab|an|auf|aus|bei|ein|her|hin|mit|nach|um|vor|weg|zu|zurück)(?=ge|zu)|(?=ge))(?:ge|zu)(\p{L}{3,}(?:t|en))$/u;
