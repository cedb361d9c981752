import type { AnswerCitation } from './model.ts';
import type { Source } from './request.ts';

/** What can be cited: where it stands and what it says. */
export interface Cited {
  readonly source: Source;
  readonly text: string;
  /** @param shift added to start and end; @param text in place of the true text */
  readonly cite: (shift?: number, text?: string) => AnswerCitation;
}

/**
 * How a citation is spoiled.
 * - `invented`: a text that stands nowhere, at a true place
 * - `altered`: the true text with a digit or a word changed
 * - `stitched`: the beginning of one sentence joined to the end of another
 * - `wrongSource`: the true text, another source's number
 * - `outOfRange`: a place behind the end of its source
 * - `unknownSource`: a number no source has
 * - `reversed`: the end before the start
 * - `shifted`: the true text, its place moved by one (a block or a page) or three (characters)
 * - `overlapping`: the true citation and a second true one that overlaps it
 * - `doubled`: the true citation twice
 */
export type CitationFault =
  | 'invented'
  | 'altered'
  | 'stitched'
  | 'wrongSource'
  | 'outOfRange'
  | 'unknownSource'
  | 'reversed'
  | 'shifted'
  | 'overlapping'
  | 'doubled';

export interface Planted {
  readonly kind: CitationFault | 'true';
  /**
   * `true`: every citation of the block is right. `false`: none may be shown as it is. `misplaced`: the text does stand
   * in the source it names, but elsewhere: a careful client finds it there, a careless one drops it; showing the wrong
   * place is wrong.
   */
  readonly verdict: 'true' | 'false' | 'misplaced';
  readonly citations: readonly AnswerCitation[];
  /** The text of the block that carries them. */
  readonly claim: string;
}

/** @returns undefined when there is nothing to spoil it with (one source only, one sentence only) */
export function spoil(
  kind: CitationFault,
  unit: Cited,
  all: readonly Cited[],
): { citations: AnswerCitation[]; verdict: Planted['verdict'] } | undefined {
  const wrong = (...citations: AnswerCitation[]): { citations: AnswerCitation[]; verdict: 'false' } => ({
    citations,
    verdict: 'false',
  });
  const text = unit.text.trim();
  switch (kind) {
    case 'invented':
      return wrong(unit.cite(0, 'It was confirmed in the annual review of the purple committee.'));
    case 'altered':
      return wrong(
        unit.cite(
          0,
          /\d/.test(text)
            ? text.replace(/\d/, (digit) => String((Number(digit) + 1) % 10))
            : text.replace(/\p{L}+(?=\P{L}*$)/u, 'otherwise'),
        ),
      );
    case 'stitched': {
      const other = all.find(
        (candidate) => candidate !== unit && candidate.text.trim() !== text && candidate.text.length > 20,
      );
      if (other === undefined) return undefined;
      return wrong(
        unit.cite(
          0,
          `${text.slice(0, Math.ceil(text.length / 2))} ${other.text.trim().slice(Math.floor(other.text.trim().length / 2))}`,
        ),
      );
    }
    case 'wrongSource': {
      const other = all.find(
        (candidate) => candidate.source !== unit.source && !wholeText(candidate.source).includes(text),
      );
      return other === undefined ? undefined : wrong(other.cite(0, text));
    }
    case 'outOfRange':
      return wrong(unit.cite(1_000_000));
    case 'unknownSource': {
      const citation = unit.cite();
      return wrong(
        'search_result_index' in citation
          ? { ...citation, search_result_index: 999, source: 'kb://nowhere' }
          : ({ ...citation, document_index: 999 } as AnswerCitation),
      );
    }
    case 'reversed':
      return wrong(reversed(unit.cite()));
    case 'shifted':
      return { citations: [unit.cite(unit.cite().type === 'char_location' ? 3 : 1)], verdict: 'misplaced' };
    case 'doubled':
      return { citations: [unit.cite(), unit.cite()], verdict: 'true' };
    case 'overlapping': {
      const wider = widened(unit, all);
      return wider === undefined ? undefined : { citations: [unit.cite(), wider], verdict: 'true' };
    }
  }
}

function wholeText(source: Source): string {
  return source.kind === 'text' ? source.text : (source.kind === 'pages' ? source.pages : source.blocks).join('\n');
}

function reversed(citation: AnswerCitation): AnswerCitation {
  if (citation.type === 'char_location')
    return { ...citation, start_char_index: citation.end_char_index, end_char_index: citation.start_char_index };
  if (citation.type === 'page_location')
    return { ...citation, start_page_number: citation.end_page_number, end_page_number: citation.start_page_number };
  if (citation.type === 'web_search_result_location') return citation;
  return { ...citation, start_block_index: citation.end_block_index, end_block_index: citation.start_block_index };
}

/** The unit together with the one after it in the same source, as one true citation. */
function widened(unit: Cited, all: readonly Cited[]): AnswerCitation | undefined {
  const next = all[all.indexOf(unit) + 1];
  if (next === undefined || next.source !== unit.source) return undefined;
  const first = unit.cite();
  const second = next.cite();
  if (first.type === 'char_location' && second.type === 'char_location') {
    return { ...first, cited_text: `${unit.text}${next.text}`.trim(), end_char_index: second.end_char_index };
  }
  if ('end_block_index' in first && 'end_block_index' in second) {
    // Citations of blocks carry the joined text of the blocks they span; empty blocks between them were not made units.
    if (second.start_block_index !== first.end_block_index) return undefined;
    return { ...first, cited_text: `${unit.text}${next.text}`, end_block_index: second.end_block_index };
  }
  return undefined;
}
