import type { Span } from '../../../core/types.ts';

/** An item of a numbered list, from its number to where the next one begins. */
export interface Step extends Span {
  readonly number: number;
  readonly indent: number;
}

const numbered = /^(?<indent>[ \t]*)(?<number>\d{1,3})[.)][ \t]+\S/;
const heading = /^#{1,6} |^[^\n]*\n(?:={3,}|-{3,})[ \t]*$/;

/** The lists of a text whose items have numbers that follow each other, each in order. */
export function stepLists(text: string): Step[][] {
  const lists: Step[][] = [];
  /** By indent, outermost first: lists that may go on. */
  let open: Step[][] = [];
  const close = (at: number, isClosed: (list: Step[]) => boolean): void => {
    for (const list of open.filter(isClosed)) list[list.length - 1] = { ...list.at(-1)!, end: at };
    open = open.filter((list) => !isClosed(list));
  };
  let start = 0;
  for (const line of text.split('\n')) {
    const found = numbered.exec(line)?.groups;
    if (found) {
      const indent = found.indent!.length;
      const step = { number: Number(found.number), indent, start, end: text.length };
      close(start, ([first]) => first!.indent > indent);
      const own = open.find(([first]) => first!.indent === indent);
      if (own && own.at(-1)!.number + 1 === step.number) {
        own[own.length - 1] = { ...own.at(-1)!, end: start };
        own.push(step);
      } else {
        close(start, (list) => list === own);
        const list = [step];
        lists.push(list);
        open.push(list);
      }
    } else if (heading.test(line)) close(start, () => true);
    start += line.length + 1;
  }
  return lists.filter((list) => list.length > 1);
}
