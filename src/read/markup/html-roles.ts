/** Elements without a meaning of their own that say by their role what they are, as programs draw tables and lists. */
import { known } from '../../core/known.ts';

const TAGS: Readonly<Record<string, string>> = {
  table: 'table',
  grid: 'table',
  treegrid: 'table',
  rowgroup: 'tbody',
  row: 'tr',
  cell: 'td',
  gridcell: 'td',
  columnheader: 'th',
  rowheader: 'th',
  list: 'ul',
  listitem: 'li',
};
const PLAIN = /^(?:div|span|p|section|article|[a-z]\w*-[\w-]*)$/;
const LEVEL = /^[1-6]$/;
/** Level of a heading that does not say its own. */
const USUAL_LEVEL = '2';

/** The tag that an element stands for. */
export function tagOf(tag: string, { role, 'aria-level': level }: Readonly<Record<string, string>>): string {
  if (role === undefined || !PLAIN.test(tag)) return tag;
  if (role === 'heading') return `h${LEVEL.test(level ?? '') ? level : USUAL_LEVEL}`;
  return known(TAGS, role) ?? tag;
}
