import { isMadeTitle } from '../made-title.ts';
import type { PdfBlock } from './drafts.ts';
import type { PdfInfo } from './open.ts';
import type { Layer } from './runs.ts';

/** Of the first page: its number, and its letters by direction. */
interface FirstPage {
  readonly page: number;
  readonly layers: readonly Layer[];
}

const NO_TITLE =
  /^(?:\(?(?:untitled|anonymous|unspecified)\)?|no title|unknown|document\d*|microsoft (?:word|powerpoint|excel) - .*|.*\.(?:docx?|pptx?|xlsx?|od[tsp]|rtf|tex|dvi|indd|qxd|pdf|html?|txt|ps|eps|fm|pub|md)|slide \d+|powerpoint presentation|title|print|layout \d+|[\W\d_]*|https?:\S*|\(null\))$/iu;

/** An office and its address, as printed at the head of a letter or a filing: "… COMMISSION Washington, D.C. 20549". */
const LETTERHEAD = /\b(?:D\.\s?C\.|[A-Z]{2}),?\s+\d{5}(?:-\d{4})?$/u;
/** What stands below the name on a form for companies. */
const BELOW_NAME = /^\((?:exact )?name of (?:the )?(?:registrant|issuer|company)\b/iu;
const FORM = /^form\s+[\w/-]{1,12}$/iu;

/** The title in the file's own data; of a filing the company's name with the form; else the largest heading. */
export function chooseTitle(info: PdfInfo, blocks: readonly PdfBlock[], pages: readonly FirstPage[]): string {
  const given = info.title?.replace(/\s+/gu, ' ').trim() ?? '';
  if (
    given.length > 2 &&
    given.length < 300 &&
    !NO_TITLE.test(given) &&
    !isMadeTitle(given) &&
    !/[\ufffd\0]/u.test(given)
  )
    return given;
  const first = pages[0];
  if (!first) return '';
  const filed = filingTitle(blocks.filter(({ pieces }) => pieces[0]!.page === first.page));
  if (filed !== undefined) return filed;
  let largest = 0;
  const shown = first.layers[0]?.segments ?? [];
  for (const s of shown) {
    if (s.text.length > 3 && /\p{L}{2}/u.test(s.text)) largest = Math.max(largest, s.size);
  }
  const sized = new Set(
    first.layers[0]!.segments.filter((s) => s.size >= largest * 0.95).map((s) => firstWords(s.text)),
  );
  for (const [i, block] of blocks.entries()) {
    const { text, page } = block.pieces[0]!;
    if (page !== first.page) break;
    if (block.kind !== 'heading' || text.length > 250 || LETTERHEAD.test(text)) continue;
    if (![...sized].some((start) => text.startsWith(start))) continue;
    const next = blocks[i + 1];
    const goesOn =
      next?.kind === 'heading' &&
      next.level === block.level &&
      /(?:[:–—,-]|\b(?:of|the|and|for|in|a|to))$/iu.test(text);
    return goesOn ? `${text} ${next.pieces[0]!.text}` : text;
  }
  return '';
}

function filingTitle(blocks: readonly PdfBlock[]): string | undefined {
  const texts = blocks.map(({ pieces }) => pieces[0]!.text.trim());
  const below = texts.findIndex((text) => BELOW_NAME.test(text));
  const name = texts[below - 1];
  if (name === undefined || name.length > 150) return undefined;
  const form = texts.find((text) => FORM.test(text));
  return form === undefined ? name : `${name}, ${form}`;
}

function firstWords(text: string): string {
  return text.slice(0, 12);
}
