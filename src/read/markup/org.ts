import type { ParsedDocument } from '../contract.ts';
import { cleanLines } from '../normalise.ts';
import { orgTable } from './drawn-tables.ts';
import { type Marker, parseMarkup, plain } from './markup.ts';

/** When an entry was done or is due: a line of its own below its headline. */
const PLANNED = /^\s*(?:CLOSED|SCHEDULED|DEADLINE): ?[<[][^>\]]*[>\]]/;
const DRAWER = /^\s*:(?:PROPERTIES|LOGBOOK):\s*$/i;
const END = /^\s*:END:\s*$/i;
const HEADLINE = /^\*+\s/;
const CLOCK = /^\s*CLOCK:\s*\[/;
const PROPERTY = /^\s*:([\w@#%+-]+):(?:\s+(.*))?$/;
/** Properties for the program. */
const SILENT =
  /^(?:id|custom_id|visibility|columns|ordered|unnumbered|style|logging|cookie_data|last_repeat|repeat_to_state|header-args.*|export_.*|archive_.*)$/i;

/** Emacs Org, without what only its program reads of an entry: marks that tell it apart, and times of a clock. */
export function parseOrg(source: string): ParsedDocument {
  const marker: Marker = (lines, i) => {
    const { text } = lines[i]!;
    const heading = /^(\*+)\s(.*)$/.exec(text);
    if (heading) {
      const label = plain(orgLinks(withoutOrgMarks(heading[2]!)));
      return { kind: 'heading', level: Math.min(6, heading[1]!.length), label, lines: 1 };
    }
    const begin = /^\s*#\+begin_(src|example|verse)\b\s*(\S*)/i.exec(text);
    if (begin) {
      let end = i + 1;
      while (end < lines.length && !/^\s*#\+end_/i.test(lines[end]!.text)) end++;
      const language = begin[1]!.toLowerCase() === 'src' ? begin[2]?.toLowerCase() : undefined;
      return { kind: 'code', lines: end - i + 1, ...(language ? { language } : {}) };
    }
    if (PLANNED.test(text)) return { kind: 'list', lines: 1, isApart: true };
    return /^\s*(?:[-+]|\d+[.)])\s+\S/.test(text) ? { kind: 'list', lines: 1, isApart: true } : undefined;
  };
  const titleOf = (text: string): string | undefined => /^#\+title:\s*(.+)$/im.exec(text)?.[1]?.trim();
  return parseMarkup(withoutDrawers(cleanLines(source)), 'org', marker, titleOf, orgTable);
}

/** What a headline says, without its state, its priority and its tags. */
function withoutOrgMarks(text: string): string {
  const said = text
    .trim()
    .replace(/^(?:TODO|DONE|NEXT|WAITING)\s+/, '')
    .replace(/^\[#[A-Z]\]\s+/, '');
  const last = Math.max(said.lastIndexOf(' '), said.lastIndexOf('\t')) + 1;
  return last > 0 && /^:[\w@:]+:$/.test(said.slice(last)) ? said.slice(0, last).trimEnd() : said;
}

function orgLinks(text: string): string {
  return text.replace(/\[\[[^\]]*\]\[([^\]]*)\]\]/g, '$1').replace(/\[\[([^\]]*)\]\]/g, '$1');
}

/** Properties with a value for readers stay; each line stays a line. */
function withoutDrawers(source: string): string {
  if (!/:(?:PROPERTIES|LOGBOOK):|CLOCK:/i.test(source)) return source;
  const lines = source.split('\n');
  let end = -1;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    if (i > end && DRAWER.test(line)) end = endOf(lines, i);
    if (CLOCK.test(line)) lines[i] = '';
    if (i > end) continue;
    const [, name, value = ''] = PROPERTY.exec(line) ?? [];
    if (name !== undefined) lines[i] = SILENT.test(name) || value.trim() === '' ? '' : `${name}: ${value.trim()}`;
  }
  return lines.join('\n');
}

/** The line that ends a drawer; before the drawer if none does. */
function endOf(lines: readonly string[], begin: number): number {
  for (let i = begin + 1; i < lines.length && !HEADLINE.test(lines[i]!); i++) if (END.test(lines[i]!)) return i;
  return begin - 1;
}
