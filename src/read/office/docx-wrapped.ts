import { linesGoingOn } from '../wrapped-lines.ts';
import type { Item } from './docx-body.ts';

/** Joins paragraphs that are the lines of one text; each keeps its page. */
export function joinWrapped(items: readonly Item[]): Item[] {
  const lines = items.flatMap(({ paragraph, isApart }) => {
    const line = paragraph?.kind === 'paragraph' ? paragraph.text : undefined;
    return isApart ? [undefined, line] : [line];
  });
  const goesOn = linesGoingOn(lines);
  const joined: Item[] = [];
  let at = 0;
  let isOpen = false;
  for (const one of items) {
    if (one.isApart) at++;
    const last = joined.at(-1);
    if (isOpen && last !== undefined) joined[joined.length - 1] = join(last, one);
    else joined.push(one);
    isOpen = goesOn[at++]!;
  }
  return joined;
}

function join(a: Item, b: Item): Item {
  const text = `${a.paragraph!.text} ${b.paragraph!.text}`;
  const added = text.length - a.paragraph!.text.length;
  const lastPage = a.breaks?.at(-1)?.page ?? a.page;
  const breaks = [
    ...(a.breaks ?? []).map(({ page, left }) => ({ page, left: left + added })),
    ...(b.page === lastPage ? [] : [{ page: b.page, left: b.paragraph!.text.length }]),
    ...(b.breaks ?? []),
  ];
  return {
    ...a,
    paragraph: { ...a.paragraph!, text },
    notes: [...a.notes, ...b.notes],
    isBold: a.isBold === true && b.isBold === true,
    ...(breaks.length > 0 && { breaks }),
  };
}
