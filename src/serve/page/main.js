/** @import { View } from './links.js' */
/** @import { Answer } from './answer.js' */
/** @import { Status } from './status.js' */
import { noAnswer, withEvent } from './answer.js';
import { answerView } from './answer-view.js';
import { ask, call, Refused, status } from './api.js';
import { byId, fill, h } from './dom.js';
import { showFilters } from './filters.js';
import { keep } from './history.js';
import { hitList } from './hits.js';
import { addressOf, viewOf } from './links.js';
import { counted } from './places.js';
import { showSource } from './source.js';
import { showStart } from './start.js';
import { fillStatus, runText, watchStatus } from './status.js';
import { askToken } from './token.js';
import { chosenOf, countOf } from './where.js';

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
/** Ends what is asked, and what is read for the open source. */
let asking = new AbortController();
let reading = new AbortController();
/** What had the focus when a source was opened. @type {HTMLElement | undefined} */
let opener;

/** @param {Partial<View>} change */
function go(change) {
  const next = { ...view, ...change };
  const address = addressOf(next);
  if (address !== `${location.pathname}${location.search}`) history.pushState(null, '', address);
  show(next);
}

/** @param {View} next */
function show(next) {
  const before = view;
  view = next;
  const isAsked = next.name === 'ask' || next.name === 'search';
  field.value = next.question;
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
  if (next.reference === '') closeSource();
  else void openSource(next);
}

/** True if both ask the same. @param {View} a @param {View} b */
function isSame(a, b) {
  return addressOf({ ...a, reference: '' }) === addressOf({ ...b, reference: '' });
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
  const heading = h('h1', {}, asked_.question);
  const draw = () => {
    drawn = false;
    if (!signal.aborted) fill(results, heading, ...answerView(now, asked_, signal));
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
        { href: addressOf({ name: 'source', reference: next.reference, index: next.index }) },
        'Link to this place',
      ),
  );
  const place = h('div', {});
  fill(pane, bar, place);
  mark(next.reference);
  try {
    const title = await showSource(
      place,
      { reference: next.reference, index: indexOf(next), highlight: highlightOf(next), isAlone: alone },
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

/** The link by which a source was opened; a shared address has none. @param {View} next */
function linkTo({ reference }) {
  return document.querySelector(`[data-reference="${CSS.escape(reference)}"]`);
}

/** @param {View} next */
function indexOf(next) {
  return linkTo(next)?.getAttribute('data-index') || next.index;
}

/** @param {View} next @returns {{ start: number, end: number }[]} */
function highlightOf(next) {
  return JSON.parse(linkTo(next)?.getAttribute('data-highlight') ?? '[]');
}

/** Shows which of the links is open. @param {string} reference */
function mark(reference) {
  for (const link of results.querySelectorAll('[data-reference]'))
    if (link.getAttribute('data-reference') === reference) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
}

function closeSource() {
  if (pane.hidden) return;
  reading.abort();
  pane.hidden = true;
  fill(pane);
  mark('');
  if (opener?.isConnected) opener.focus();
  opener = undefined;
}

/** @param {unknown} error @param {() => void} again @param {HTMLElement} [place] */
function failed(error, again, place = results) {
  if (error instanceof Refused && error.status === 401)
    return askToken(() => {
      results.replaceChildren(); // all is asked anew
      show(view);
      void begin();
    });
  if (!(error instanceof Refused)) throw error;
  const { message, hint } = error;
  fill(
    place,
    h('p', { class: 'warning', role: 'alert' }, message, hint !== undefined && ` ${hint}`),
    h('button', { type: 'button', onclick: again }, 'Try again'),
  );
}

async function toggleFilters() {
  const isOpen = filtersButton.getAttribute('aria-expanded') === 'true';
  filtersButton.setAttribute('aria-expanded', String(!isOpen));
  filters.hidden = isOpen;
  if (isOpen) return;
  try {
    await showFilters(filters, chosenOf(view.where), view.index, (where) => go({ where, reference: '' }));
  } catch (error) {
    failed(error, () => void toggleFilters(), filters);
  }
}

async function openStatus() {
  statusDialog.showModal();
  fill(statusDialog, h('h2', { id: 'status-title' }, 'Status'));
  try {
    fillStatus(statusDialog, await status());
  } catch (error) {
    failed(error, () => void openStatus(), statusDialog);
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
  if (!isFirst) return;
  if (view.name === 'start') showStart(results, known);
  choices(now);
}

/** @param {Status} now */
function choices({ indexes, modes }) {
  const names = indexes.map(({ name }) => name);
  if (names.length > 1)
    form.append(choice('Index', ['', ...names], view.index, 'all indexes', (index) => go({ index, reference: '' })));
  if (modes.length > 1)
    form.append(
      choice('Answered by', ['', ...modes.filter((mode) => mode !== 'extractive')], view.mode, 'extractive', (mode) =>
        go({ mode, reference: '' }),
      ),
    );
}

/** @param {string} label @param {readonly string[]} values @param {string} chosen @param {string} first @param {(value: string) => void} onChoice */
function choice(label, values, chosen, first, onChoice) {
  const select = h(
    'select',
    { 'aria-label': label, onchange: () => onChoice(select.value) },
    ...values.map((value) => h('option', { value, selected: value === chosen }, value === '' ? first : value)),
  );
  return select;
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
filtersButton.addEventListener('click', () => void toggleFilters());
byId('status-button', HTMLButtonElement).addEventListener('click', () => void openStatus());
window.addEventListener('popstate', () => show(viewOf(new URL(location.href))));
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
    go({ reference });
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
  try {
    await watchStatus(onStatus);
  } catch (error) {
    failed(error, () => show(view));
  }
}

show(view);
if (view.name === 'start') field.focus();
void begin();
