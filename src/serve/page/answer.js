/** @import { CitationJson, RelatedJson } from '../../search-index/json.ts' */
/** @import { WebLink } from '../../answer/contract.ts' */
/** @import { ServedAnswer, ServedHit } from './api.js' */
import { sentence } from './places.js';

/**
 * An answer while it is written, and when it is done.
 * @typedef {object} Answer
 * @property {'asking' | 'writing' | 'done' | 'failed'} state
 * @property {string} text
 * @property {readonly CitationJson[]} citations
 * @property {readonly RelatedJson[]} related
 * @property {readonly WebLink[]} links
 * @property {readonly ServedHit[]} hits
 * @property {string} note what goes on, or went wrong
 * @property {readonly string[]} skipped what could not answer, and why
 * @property {ServedAnswer} [whole] when it is done
 */

/** @type {Answer} */
export const noAnswer = {
  ...{ state: 'asking', text: '', note: '' },
  ...{ citations: [], related: [], links: [], hits: [], skipped: [] },
};

/**
 * The answer after one more event of `/api/ask`.
 * @param {Answer} answer
 * @param {{ event: string, data: any }} event
 * @returns {Answer}
 */
export function withEvent(answer, { event, data }) {
  switch (event) {
    case 'hits':
      return { ...answer, hits: data.hits, note: '' };
    case 'text':
      return { ...answer, state: 'writing', text: answer.text + data.text, note: '' };
    case 'citation':
      return { ...answer, citations: [...answer.citations.filter(({ n }) => n !== data.n), data] };
    case 'link':
      return { ...answer, links: [...answer.links, data] };
    case 'thinking':
      return { ...answer, note: 'Thinking …' };
    case 'step':
      return { ...answer, note: data.input === '' ? `${data.tool} …` : `${data.tool}: ${data.input}` };
    case 'skipped':
      return { ...answer, skipped: [...answer.skipped, `${data.mode}: ${data.message}`] };
    case 'silence':
      return { ...answer, note: data.silentMs === 0 ? '' : `Nothing came for ${Math.round(data.silentMs / 1000)} s …` };
    case 'error':
      return { ...answer, state: 'failed', note: `${sentence(data.error.message)} ${data.error.hint ?? ''}`.trim() };
    case 'done':
      return {
        ...{ ...answer, state: 'done', text: data.answer, note: data.error?.message ?? '', whole: data },
        ...{ citations: data.citations, related: data.related ?? [], links: data.links ?? [], hits: data.hits },
      };
    default:
      return answer; // of a later version
  }
}

/**
 * What stands above an answer; undefined where it stands for itself. A model refuses, or has no word, for reasons of
 * its own, which its text says.
 * @param {Pick<ServedAnswer, 'abstained' | 'confidence' | 'mode'>} [whole]
 */
export function verdictOf(whole) {
  if (whole?.abstained) return whole.mode === 'extractive' ? 'Not in these documents' : 'No answer';
  return whole?.confidence === 'low' ? 'In doubt' : undefined;
}

/**
 * One run of an answer's text, or a mark in it.
 * @typedef {{ readonly start: number, readonly text: string, readonly n?: number }} Run
 */

/**
 * Paragraphs of an answer, cut at its marks `[n]`. A number in brackets that is no source stays text.
 * @param {Pick<Answer, 'text' | 'citations' | 'related' | 'links'>} answer
 * @returns {Run[][]}
 */
export function paragraphsOf({ text, citations, related, links }) {
  const known = new Set([...citations, ...related, ...links].map(({ n }) => n));
  const paragraphs = [...text.matchAll(/[^\n]+/g)];
  return paragraphs.map(({ 0: paragraph, index: from }) => {
    /** @type {Run[]} */
    const runs = [];
    let at = 0;
    for (const { 0: mark, 1: digits, index } of paragraph.matchAll(/\s?\[(\d{1,4})\]/g)) {
      const n = Number(digits);
      if (!known.has(n)) continue;
      if (index > at) runs.push({ start: from + at, text: paragraph.slice(at, index) });
      runs.push({ start: from + index, text: mark, n });
      at = index + mark.length;
    }
    if (at < paragraph.length) runs.push({ start: from + at, text: paragraph.slice(at) });
    return runs;
  });
}
