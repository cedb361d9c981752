/** @import { Contribution } from '../../core/types.ts' */
/** @import { ServedHit } from './api.js' */
/** @import { View } from './links.js' */
import { call } from './api.js';
import { dotted, fill, h, marked } from './dom.js';
import { addressOf } from './links.js';
import { nameOf, placeText } from './places.js';
import { beginningOf, wordMarks } from './spans.js';

const SHOWN_CHARS = 420;

/** What each list of the ranking looks at, in words of a reader. */
const lists = new Map(
  Object.entries({
    ...{ body: 'Words of the passage', window: 'Words near each other', title: 'Words of the title' },
    ...{ heading: 'Words of the headings', titleShare: 'Share of the title', headingShare: 'Share of the headings' },
    ...{ length: 'Length', phrase: 'Words in this order', characters: 'Parts of words', mention: 'Names mentioned' },
    feedback: 'Nearness to the best passages',
    ...{ cosine: 'Meaning', rerank: 'Judged by a model', web: 'Rank on the web' },
  }),
);

/**
 * Hits as a list. The trace and the neighbours of all hits are fetched when one of them is first asked for.
 * @param {readonly ServedHit[]} hits
 * @param {View} view
 * @param {AbortSignal} signal
 */
export function hitList(hits, view, signal) {
  /** @type {Promise<readonly ServedHit[]> | undefined} */
  let explained;
  const explain = () =>
    (explained ??= explainedHits(view, hits, signal).catch((error) => {
      explained = undefined; // asked for again
      throw error;
    }));
  return h('ol', { class: 'hits' }, ...hits.map((hit) => h('li', {}, hitView(hit, view, explain))));
}

/** @param {View} view @param {readonly ServedHit[]} hits @param {AbortSignal} signal @returns {Promise<readonly ServedHit[]>} */
async function explainedHits({ question, where }, hits, signal) {
  // an answer has looked into one of several indexes: hits of the others would take the places of its own
  const index = [...new Set(hits.flatMap((hit) => hit.index ?? []))];
  const body = { query: question, where, limit: Math.max(10, hits.length), explain: true, neighbours: 2, index };
  return (await call('/api/search', body, signal)).hits;
}

/**
 * @param {ServedHit} hit
 * @param {View} view
 * @param {() => Promise<readonly ServedHit[]>} explain
 */
function hitView(hit, view, explain) {
  const { title, uri, heading, place, text, score, index = '', reference, web } = hit;
  // of several indexes, two may have a place of the same name
  const explained = async () =>
    (await explain()).find((one) => one.reference === reference && (one.index ?? '') === index);
  const address = addressOf({ name: 'source', reference, index });
  const place_ = placeText(place);
  const more = h('div', { class: 'hit-more' });
  const around = { before: h('div', { class: 'near' }), after: h('div', { class: 'near' }) };
  const shown = beginningOf(text, SHOWN_CHARS);
  const passage = h('p', { class: 'passage' }, ...marked(shown, 0, wordMarks(shown, view.question)));
  const whole = () => {
    passage.replaceChildren(...marked(text, 0, wordMarks(text, view.question)));
  };
  return h(
    'article',
    { class: 'hit' },
    h(
      'h2',
      {},
      h('a', { href: address, 'data-reference': reference, 'data-index': index, 'data-quote': text }, nameOf(hit)),
      h('span', { class: 'score', title: `Score ${score.toFixed(2)} of 1` }, score.toFixed(2)),
    ),
    h('p', { class: 'quiet' }, ...dotted(index, uri, place_, heading !== title && heading, web && 'web')),
    around.before,
    passage,
    around.after,
    h(
      'p',
      { class: 'actions' },
      shown !== text && once('Whole passage', async () => whole()),
      !web &&
        once('Neighbours', async () => {
          const found = await explained();
          whole();
          fill(around.before, ...near(found?.before));
          fill(around.after, ...near(found?.after));
          const has = (found?.before?.length ?? 0) + (found?.after?.length ?? 0) > 0;
          if (!has) more.append(found ? h('p', { class: 'quiet' }, 'This is the whole document.') : notFound());
        }),
      !web &&
        once('Why this hit', async () => {
          const found = await explained();
          more.append(found ? whyView(found.trace) : notFound());
        }),
    ),
    more,
  );
}

function notFound() {
  return h('p', { class: 'quiet' }, 'A search with these words does not find it.');
}

/** A button that works once and then goes. @param {string} label @param {() => Promise<void>} work */
function once(label, work) {
  const failed = h('p', { class: 'warning', role: 'alert' });
  const button = h(
    'button',
    {
      type: 'button',
      onclick: async () => {
        button.disabled = true;
        failed.remove();
        try {
          await work();
          const next = button.nextElementSibling ?? button.closest('article')?.querySelector('a');
          if (next instanceof HTMLElement) next.focus();
          button.remove();
        } catch (error) {
          button.disabled = false;
          button.focus();
          failed.textContent = error instanceof Error ? error.message : '';
          button.closest('article')?.append(failed);
        }
      },
    },
    label,
  );
  return button;
}

/** @param {readonly string[]} [texts] */
function near(texts = []) {
  return texts.map((text) => h('p', {}, text.trim()));
}

/**
 * The trace as bars: what spoke for a hit, and what against.
 * @param {readonly Contribution[]} trace
 */
function whyView(trace) {
  const rows = barsOf(trace).map(({ name, points, share, rank }) => {
    const bar = h('span', { class: points < 0 ? 'bar against' : 'bar' });
    bar.style.width = `${(share * 100).toFixed(1)}%`;
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, name),
      h('td', { class: 'bars' }, bar),
      h('td', { class: 'figure' }, points.toFixed(2)),
      h('td', { class: 'figure' }, rank === undefined ? '' : `no. ${rank}`),
    );
  });
  return h(
    'table',
    { class: 'why' },
    h('caption', {}, 'Why this hit: what each list adds to its score, and its rank in that list'),
    h('tbody', {}, ...rows),
  );
}

/**
 * Contributions, the greatest first, with their share of the greatest.
 * @param {readonly Contribution[]} trace
 */
export function barsOf(trace) {
  const bars = trace
    .map(({ list, value, weight, rank }) => ({ name: lists.get(list) ?? list, points: value * weight, rank }))
    .filter(({ points }) => Math.abs(points) >= 0.005)
    .sort((a, b) => Math.abs(b.points) - Math.abs(a.points));
  const most = Math.max(0, ...bars.map(({ points }) => Math.abs(points)));
  return bars.map((bar) => ({ ...bar, share: Math.abs(bar.points) / most }));
}
