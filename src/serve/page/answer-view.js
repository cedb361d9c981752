/** @import { CitationJson, RelatedJson } from '../../search-index/json.ts' */
/** @import { Answer } from './answer.js' */
/** @import { View } from './links.js' */
/** @import { Mark } from './spans.js' */
import { paragraphsOf, verdictOf } from './answer.js';
import { dotted, h, marked } from './dom.js';
import { hitList } from './hits.js';
import { addressOf } from './links.js';
import { counted, nameOf, placeText } from './places.js';

/**
 * An answer as far as it is written.
 * @param {Answer} answer
 * @param {View} view
 * @param {AbortSignal} signal
 */
export function answerView(answer, view, signal) {
  const { state, citations, related, hits, whole, note, links, skipped } = answer;
  const refused = whole?.abstained === true;
  const verdict = verdictOf(whole);
  const index = whole?.index ?? hits[0]?.index ?? '';
  return [
    h(
      'section',
      {
        class: `answer ${state}${refused ? ' refused' : ''}`,
        'aria-label': 'Answer',
        'aria-busy': String(state !== 'done' && state !== 'failed'),
      },
      verdict !== undefined && h('p', { class: 'verdict' }, verdict),
      ...textOf(answer, index),
      ...skipped.map((text) => h('p', { class: 'warning' }, `Could not answer: ${text}`)),
      ...(whole?.warnings ?? []).map(({ message }) => h('p', { class: 'warning' }, message)),
      note !== '' && h('p', { class: state === 'failed' || state === 'done' ? 'warning' : 'quiet' }, note),
      whole && h('p', { class: 'quiet support' }, supportText(whole)),
    ),
    citations.length > 0 && listOf('Sources', citations, index),
    related.length > 0 && listOf(refused ? 'The nearest passages' : 'Further passages', related, index),
    links.length > 0 && linkList(links),
    hits.length > 0 && passagesOf(answer, view, signal),
  ];
}

/** @param {Answer} answer @param {View} view @param {AbortSignal} signal */
function passagesOf({ hits, state }, view, signal) {
  if (state !== 'done') return h('p', { class: 'quiet' }, `Reading ${counted(hits.length, 'passage')} …`);
  const list = h(
    'details',
    { class: 'looked-at' },
    h(
      'summary',
      {},
      hits.length === 1 ? 'The passage that was looked at' : `All ${hits.length} passages that were looked at`,
    ),
  );
  list.addEventListener('toggle', () => list.append(hitList(hits, view, signal)), { once: true });
  return list;
}

/** @param {Answer} answer @param {string} index */
function textOf(answer, index) {
  if (answer.text === '') return [h('p', { class: 'waiting' }, 'Looking through the documents …')];
  const sources = new Map([...answer.citations, ...answer.related].map((one) => [one.n, one]));
  const links = new Map(answer.links.map((one) => [one.n, one.url]));
  /** @type {Mark[]} */
  const marks = (answer.whole?.unsupported ?? []).map((span) => ({ ...span, kind: 'unsupported' }));
  return paragraphsOf(answer).map((runs) =>
    h(
      'p',
      { class: 'said' },
      ...runs.flatMap(
        /** @returns {(Node | string)[]} */ ({ n, text, start }) => {
          if (n === undefined) return marked(text, start, marks);
          const source = sources.get(n);
          return [
            ' ',
            source
              ? markLink(source, index)
              : h(
                  'a',
                  { class: 'n', href: safe(links.get(n)), rel: 'noreferrer noopener', target: '_blank' },
                  ...number(n),
                ),
          ];
        },
      ),
    ),
  );
}

/** The number of a source, as a link to it. @param {CitationJson | RelatedJson} source @param {string} index */
function markLink(source, index) {
  return h(
    'a',
    { ...linkOf(source, index), class: 'n', 'aria-label': `Source ${source.n}: ${nameOf(source)}` },
    ...number(source.n),
  );
}

/** @param {number} n */
function number(n) {
  return [copied('['), String(n), copied(']')];
}

/** What is not seen, but copied: without it a number would become a part of the word before. @param {string} text */
function copied(text) {
  return h('span', { class: 'copied' }, text);
}

/** @param {CitationJson | RelatedJson} source @param {string} index */
function linkOf({ reference, highlight, quote, verified }, index) {
  const words = highlight && { 'data-highlight': JSON.stringify(highlight) };
  return {
    href: addressOf({ name: 'source', reference, index }),
    'data-reference': reference,
    'data-index': index,
    'data-quote': verified && quote,
    ...words,
  };
}

/** @param {string} name @param {readonly (CitationJson | RelatedJson)[]} sources @param {string} index */
function listOf(name, sources, index) {
  const id = name.replaceAll(' ', '-').toLowerCase();
  return h(
    'section',
    { class: 'sources', 'aria-labelledby': id },
    h('h2', { id }, name),
    h('ol', {}, ...sources.map((source) => h('li', { class: 'source-line' }, sourceLine(source, index)))),
  );
}

/** @param {CitationJson | RelatedJson} source @param {string} index */
function sourceLine(source, index) {
  const { n, title, quote, span, highlight = [], place, uri, verified, origin } = source;
  const words = highlight.map((one) => ({ ...one, kind: 'highlight' }));
  return h(
    'a',
    { ...linkOf(source, index), class: 'card' },
    h('span', { class: 'n', 'aria-hidden': 'true' }, String(n)),
    h('span', { class: 'quote' }, ...marked(quote, span.start, words)),
    h('span', { class: 'quiet' }, ...dotted(title, fileOf(uri), placeText(place), origin === 'web' && 'web')),
    !verified && h('span', { class: 'warning' }, 'Not found word for word in the source.'),
  );
}

/** @param {string} uri */
function fileOf(uri) {
  return /^https?:/.test(uri) ? uri : (uri.split('/').at(-1) ?? uri);
}

/** @param {Answer['links']} links */
function linkList(links) {
  return h(
    'section',
    { class: 'sources', 'aria-labelledby': 'links' },
    h('h2', { id: 'links' }, 'Pages that were named, unchecked'),
    h(
      'ul',
      {},
      ...links.map(({ n, url, title }) =>
        h('li', {}, `${n} `, h('a', { href: safe(url), rel: 'noreferrer noopener', target: '_blank' }, title || url)),
      ),
    ),
  );
}

/** A link of a service leads to the web, or nowhere. @param {string} [url] */
function safe(url) {
  return url !== undefined && /^https?:\/\//i.test(url) ? url : undefined;
}

/** @param {NonNullable<Answer['whole']>} whole */
function supportText({ support, costUsd, mode, model, query, question, index, abstained }) {
  return [
    `Support ${support.toFixed(2)}`,
    !abstained && (mode === 'extractive' ? 'sentences of the documents' : (model ?? mode)),
    query !== undefined && query !== question && `searched for “${query}”`,
    index !== undefined && `from ${index}`,
    costUsd > 0 && `${costUsd.toFixed(4)} USD`,
  ]
    .filter(Boolean)
    .join(' · ');
}
