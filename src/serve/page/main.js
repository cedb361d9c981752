/** @import { View } from './links.js' */
/** @import { Answer } from './answer.js' */
/** @import { Status } from './status.js' */
import { noAnswer, withEvent } from './answer.js';
import { answerView } from './answer-view.js';
import { ask, call, Refused, status } from './api.js';
import { choicesOf } from './choices.js';
import { byId, fill, h, linkLike, scrollBelow } from './dom.js';
import { showFilters } from './filters.js';
import { keep } from './history.js';
import { hitList } from './hits.js';
import { addressOf, viewOf } from './links.js';
import { counted } from './places.js';
import { showSource } from './source.js';
import { beginningOf } from './spans.js';
import { showStart, startText } from './start.js';
import { fillStatus, runText, statusHead, watchStatus } from './status.js';
import { askToken } from './token.js';
import { chosenOf, countOf } from './where.js';

const head = byId('top', HTMLElement);
const form = byId('form', HTMLFormElement);
const field = byId('question', HTMLInputElement);
const results = byId('results', HTMLElement);
const pane = byId('source', HTMLElement);
const filters = byId('filters', HTMLElement);
const filtersButton = byId('filters-button', HTMLButtonElement);
const statusDialog = byId('status', HTMLDialogElement);
const run = byId('run', HTMLElement);
const live = byId('live', HTMLElement);

/** @type {View} */
let view = viewOf(new URL(location.href));
/** @type {Status | undefined} */
let known;
/** @type {ReturnType<typeof choicesOf> | undefined} */
let choices;
/** Ends what is asked, what is read for the open source, and what is read for the filters. */
let asking = new AbortController();
let reading = new AbortController();
let filtering = new AbortController();
/** What the filters show. */
let filtered = '';
let isWatched = false;
/** What had the focus when a source was opened. @type {HTMLElement | undefined} */
let opener;

/** @param {Partial<View>} change */
function go(change) {
  const next = { ...view, ...change };
  if (next.name === 'source' && next.reference === '') next.name = 'start'; // nothing is left of it
  const address = addressOf(next);
  if (address !== `${location.pathname}${location.search}`) history.pushState(null, '', address);
  show(next);
}

/** @param {View} next */
function show(next) {
  const before = view;
  view = next;
  const isAsked = next.name === 'ask' || next.name === 'search';
  if (next.question !== before.question) field.value = next.question; // what is being typed stays
  choices?.show(next);
  byId('skip', HTMLAnchorElement).setAttribute('href', next.name === 'source' ? '#source' : '#results');
  document.body.dataset.view = next.name;
  document.title = next.question === '' ? 'ibid' : `${next.question} · ibid`;
  filtersButton.textContent = filterLabel(next);
  if (!isSame(before, next) || results.childElementCount === 0) {
    asking.abort();
    asking = new AbortController();
    if (isAsked) void answer(next, asking.signal);
    else if (next.name === 'start') showStart(results, known);
    else fill(results);
  }
  if (!filters.hidden && filtered !== filterState(next)) void fillFilters();
  if (next.reference === '') closeSource();
  else void openSource(next);
}

/** True if both ask the same. @param {View} a @param {View} b */
function isSame(a, b) {
  return addressOf({ ...a, reference: '' }) === addressOf({ ...b, reference: '' });
}

/** @param {View} next */
function filterState({ where, index }) {
  return JSON.stringify([where, index]);
}

/** @param {View} next */
function filterLabel({ where }) {
  const count = countOf(chosenOf(where));
  return count === 0 ? 'Filters' : `Filters (${count})`;
}

/** @param {View} asked_ @param {AbortSignal} signal */
async function answer(asked_, signal) {
  const { question, where, index, mode, name } = asked_;
  keep(question);
  live.textContent = name === 'ask' ? 'Answering' : 'Searching';
  const chosen = { ...(Object.keys(where).length > 0 && { where }), ...(index !== '' && { index }) };
  try {
    if (name === 'search') await search(asked_, chosen, signal);
    else await write({ question, ...chosen, ...(mode !== '' && { mode }) }, asked_, signal);
  } catch (error) {
    if (!signal.aborted) failed(error, () => void answer(asked_, signal));
  }
}

/** @param {View} asked_ @param {object} chosen @param {AbortSignal} signal */
async function search(asked_, chosen, signal) {
  fill(results, h('p', { class: 'waiting' }, 'Looking through the documents …'));
  const { hits, corrected, report } = await call(
    '/api/search',
    { query: asked_.question, limit: 20, ...chosen },
    signal,
  );
  const count = hits.length === 0 ? 'No passage was found.' : counted(hits.length, 'passage');
  live.textContent = count;
  fill(
    results,
    h('h1', { class: 'count' }, count),
    corrected !== undefined && h('p', { class: 'quiet' }, `Searched for “${corrected}”.`),
    ...report.warnings.map((/** @type {{ message: string }} */ { message }) => h('p', { class: 'warning' }, message)),
    hits.length > 0 && hitList(hits, asked_, signal),
  );
}

/** @param {object} question @param {View} asked_ @param {AbortSignal} signal */
async function write(question, asked_, signal) {
  /** @type {Answer} */
  let now = noAnswer;
  let drawn = false;
  const heading = h('h1', {}, beginningOf(asked_.question, 400)); // the field has it whole
  const draw = () => {
    drawn = false;
    if (signal.aborted) return;
    const held = document.activeElement;
    const isHeld = held !== results && results.contains(held);
    fill(results, heading, ...answerView(now, asked_, signal));
    mark(view);
    if (isHeld && held) linkLike(held, results)?.focus({ preventScroll: true });
  };
  draw();
  for await (const event of ask(question, signal)) {
    now = withEvent(now, event);
    if (drawn) continue;
    drawn = true; // many events make one picture
    requestAnimationFrame(draw);
  }
  if (now.state === 'asking' || now.state === 'writing')
    now = { ...now, state: 'failed', note: 'The answer broke off. Ask again.' };
  draw();
  live.textContent = now.state === 'failed' ? now.note : `${now.text} ${counted(now.citations.length, 'source')}`;
}

/** @param {View} next */
async function openSource(next) {
  reading.abort();
  reading = new AbortController();
  const { signal } = reading;
  const alone = next.name === 'source';
  pane.hidden = false;
  const bar = h(
    'p',
    { class: 'source-bar' },
    !alone && h('button', { type: 'button', onclick: () => go({ reference: '' }) }, 'Close'),
    !alone &&
      h(
        'a',
        { href: addressOf({ name: 'source', reference: next.reference, index: indexOf(next) }) },
        'Link to this place',
      ),
  );
  const place = h('div', {});
  fill(pane, bar, place);
  mark(next);
  cover();
  try {
    const title = await showSource(
      place,
      {
        ...{ reference: next.reference, index: indexOf(next), isAlone: alone, highlight: highlightOf(next) },
        quote: linkTo(next)?.getAttribute('data-quote') ?? undefined,
      },
      signal,
    );
    if (alone) document.title = `${title} · ibid`;
    const heading = document.getElementById('source-title');
    heading?.focus({ preventScroll: true });
    live.textContent = `Source: ${title}`;
  } catch (error) {
    if (!signal.aborted) failed(error, () => void openSource(next), place);
  }
}

/** Links to the open source. @param {View} next */
function linksTo(next) {
  const links = [...results.querySelectorAll(`[data-reference="${CSS.escape(next.reference)}"]`)];
  const index = indexOf(next);
  return links.filter((link) => ['', index].includes(link.getAttribute('data-index') ?? ''));
}

/** The link by which a source was opened; a shared address has none. @param {View} next */
function linkTo(next) {
  return linksTo(next)[0];
}

/** @param {View} next */
function indexOf({ owner, index }) {
  return owner || index;
}

/** @param {View} next @returns {{ start: number, end: number }[]} */
function highlightOf(next) {
  return JSON.parse(linkTo(next)?.getAttribute('data-highlight') ?? '[]');
}

/** Shows which of the links is open. @param {View} next */
function mark(next) {
  for (const link of results.querySelectorAll('[aria-current]')) link.removeAttribute('aria-current');
  for (const link of linksTo(next)) link.setAttribute('aria-current', 'true');
}

const narrow = matchMedia('(max-width: 64rem)'); // as in the style

/** What a source covers cannot have the focus. */
function cover() {
  const isCovered = narrow.matches && !pane.hidden && view.name !== 'source';
  for (const one of [head, filters, results]) one.inert = isCovered;
}

function closeSource() {
  if (pane.hidden) return;
  reading.abort();
  pane.hidden = true;
  fill(pane);
  cover();
  const link = opener?.isConnected ? opener : results.querySelector('a[aria-current]');
  mark(view);
  if (link instanceof HTMLElement) link.focus();
  opener = undefined;
}

/** @param {unknown} error @param {() => void} again @param {HTMLElement} [place] */
function failed(error, again, place = results) {
  if (!(error instanceof Refused)) {
    tell({ message: 'This page does not understand the answer of the server. Load it anew.' }, again, place);
    throw error;
  }
  if (error.status !== 401) return tell(error, again, place);
  statusDialog.close();
  askToken(anew, () => tell(error, anew, results));
}

function anew() {
  results.replaceChildren();
  show(view);
  void begin();
}

/** @param {{ message: string, hint?: string | undefined }} error @param {() => void} again @param {HTMLElement} place */
function tell({ message, hint = '' }, again, place) {
  const told = h('p', { class: 'warning', role: 'alert' }, `${message} ${hint}`.trim());
  fill(place, told, h('button', { type: 'button', onclick: again }, 'Try again'));
}

function toggleFilters() {
  const isOpen = filtersButton.getAttribute('aria-expanded') === 'true';
  filtersButton.setAttribute('aria-expanded', String(!isOpen));
  filters.hidden = isOpen;
  if (!isOpen) void fillFilters();
}

async function fillFilters() {
  filtering.abort();
  filtering = new AbortController();
  const { signal } = filtering;
  filtered = filterState(view);
  const onChoice = (/** @type {Record<string, unknown>} */ where) => {
    filtered = filterState({ ...view, where });
    go({ where, reference: '' });
  };
  const onClear = () => {
    filtersButton.focus();
    go({ where: {}, reference: '' });
  };
  try {
    await showFilters(filters, chosenOf(view.where), view.index, { onChoice, onClear }, signal);
  } catch (error) {
    if (!signal.aborted) failed(error, () => void fillFilters(), filters);
  }
}

async function openStatus() {
  const body = h('div', {});
  fill(statusDialog, ...statusHead(), body);
  if (!statusDialog.open) statusDialog.showModal();
  try {
    fillStatus(statusDialog, await status());
  } catch (error) {
    failed(error, () => void openStatus(), body);
  }
}

/** What the server can: several indexes and modes are to be chosen from. @param {Status} now */
function onStatus(now) {
  const isFirst = known === undefined;
  known = now;
  const running = now.indexes.find(({ ingest }) => ingest?.running === true)?.ingest;
  run.hidden = running === undefined;
  if (running) run.textContent = runText(running);
  if (statusDialog.open) fillStatus(statusDialog, now);
  const start = document.getElementById('start-text');
  if (start) start.textContent = startText(now);
  if (!isFirst) return;
  choices = choicesOf(now, go);
  form.append(...choices.elements);
  choices.show(view);
}

/** @param {'ask' | 'search'} name */
function submit(name) {
  const question = field.value.trim();
  if (question === '') return field.focus();
  results.replaceChildren(); // the same question may be asked again
  go({ name, question, reference: '' });
}

/** Up and down go from one mark or hit to the next. @param {KeyboardEvent} event */
function step(event) {
  const links = [...results.querySelectorAll('a[data-reference]')].filter(
    (one) => one instanceof HTMLElement && one.offsetParent !== null,
  );
  const at = links.indexOf(/** @type {Element} */ (document.activeElement));
  if (at < 0) return;
  const next = links[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (next instanceof HTMLElement) next.focus();
  event.preventDefault();
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  submit('ask');
});
byId('search', HTMLButtonElement).addEventListener('click', () => submit('search'));
filtersButton.addEventListener('click', toggleFilters);
byId('status-button', HTMLButtonElement).addEventListener('click', () => void openStatus());
window.addEventListener('popstate', () => {
  const next = viewOf(new URL(location.href));
  if (addressOf(next) !== addressOf(view)) show(next); // a skip changes the fragment alone
});
narrow.addEventListener('change', cover);
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.closest('input, select, textarea, dialog') !== null;
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && event.target === field) submit('search');
  else if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    field.select();
    field.focus();
  } else if (event.key === 'Escape' && view.reference !== '' && view.name !== 'source' && !isTyping)
    go({ reference: '' });
  else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') step(event);
});
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const reference = link.getAttribute('data-reference');
  if (reference !== null) {
    event.preventDefault();
    opener = link;
    go({ reference, owner: link.getAttribute('data-index') ?? '' });
  } else if (
    link.target === '' &&
    link.origin === location.origin &&
    ['/', '/source'].includes(link.pathname) &&
    link.hash === ''
  ) {
    event.preventDefault();
    go(viewOf(new URL(link.href)));
  }
});

async function begin() {
  if (isWatched) return;
  isWatched = true;
  try {
    await watchStatus(onStatus);
  } catch (error) {
    failed(error, anew);
  } finally {
    isWatched = false;
  }
}

field.value = view.question;
scrollBelow(head);
show(view);
if (view.name === 'start') field.focus();
void begin();
