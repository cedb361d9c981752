import type { Span } from '../../../core/types.ts';
import { slipsFrom } from '../../../retrieve/edit-distance.ts';

/** `Polish` for `Poland`: so many first letters are alike. */
const alikeFrom = 4;
/** A word of so many letters may be misspelt once, of so many twice. */
const onceFrom = 5;
const twiceFrom = 8;

/** A name in small letters and without accents. */
export const plainName = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether two names may be one: misspelt, in another form or without its accents. */
export const isAlikeName = (a: string, b: string): boolean =>
  plainName(a) === plainName(b) || isLikeAny(plainName(a), [plainName(b)]);

/** Whether one of some words, all of them plain, is a name misspelt or in another form. */
export function isLikeAny(name: string, words: Iterable<string>): boolean {
  if (name.length < onceFrom) return false;
  const slips = slipsFrom(name, name.length < twiceFrom ? 1 : 2);
  const start = name.slice(0, alikeFrom);
  return [...words].some((one) => one.startsWith(start) || slips(one) !== undefined);
}

/** `USA` for `United States`: a short form may be written out. */
const mostCapitals = 5;

/** Whether a word is written in a few capitals, as a name that may be written out. */
export function isShortForm(text: string, { start, end }: Span): boolean {
  const raw = text.slice(start, end);
  return raw.length <= mostCapitals && raw === raw.toUpperCase();
}
