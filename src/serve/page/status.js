import { status } from './api.js';
import { fill, h } from './dom.js';
import { counted, sentence, sizeText } from './places.js';

/** @typedef {{ uri: string, code: string, message?: string }} Problem */
/** @typedef {{ running?: boolean, files?: number, done?: number, last?: LastRun, error?: string }} Run */
/** @typedef {{ added: number, updated: number, removed: number, failed: number, at: string }} LastRun */
/**
 * @typedef {object} IndexStatus
 * @property {string} name
 * @property {number} documents
 * @property {number} chunks
 * @property {Readonly<Record<string, number>>} formats
 * @property {string} [embedder]
 * @property {string} [rebuild] why nothing can be searched
 * @property {{ asked: number, missing: readonly string[] }} [shards]
 * @property {number} [bytesOnDisk]
 * @property {readonly Problem[]} failed
 * @property {readonly Problem[]} skipped
 * @property {readonly (Problem & { leftOut?: number })[]} warnings
 * @property {Run} [ingest]
 */
/** @typedef {{ version: string, modes: readonly string[], watching: boolean, indexes: readonly IndexStatus[] }} Status */

/** @param {HTMLDialogElement} dialog @param {Status} now */
export function fillStatus(dialog, { version, indexes, watching }) {
  const open = [...dialog.querySelectorAll('details[open]')].map((one) => ({
    ...{ id: one.id, top: one.querySelector('.problems')?.scrollTop ?? 0 },
  }));
  const focused = stops(dialog).indexOf(/** @type {HTMLElement} */ (document.activeElement));
  fill(
    dialog,
    ...statusHead(),
    ...indexes.map((index) => indexView(index, indexes.length > 1)),
    h('p', { class: 'quiet' }, `ibid ${version}`, watching && ' · follows the folder'),
  );
  for (const { id, top } of open) {
    const details = dialog.querySelector(`#${CSS.escape(id)}`);
    details?.setAttribute('open', '');
    details?.querySelector('.problems')?.scrollTo(0, top);
  }
  stops(dialog)[focused]?.focus();
}

/** What stands above all states. */
export function statusHead() {
  return [
    h('form', { method: 'dialog' }, h('button', { class: 'close' }, 'Close')),
    h('h2', { id: 'status-title' }, 'Status'),
  ];
}

/** @param {HTMLDialogElement} dialog @returns {HTMLElement[]} what can have the focus */
function stops(dialog) {
  return [...dialog.querySelectorAll('button, summary, [tabindex]')].filter((one) => one instanceof HTMLElement);
}

/** @param {IndexStatus & { error?: { message: string } }} index @param {boolean} isNamed */
function indexView(index, isNamed) {
  if (!index.error) return readIndexView(index, isNamed);
  return h('section', {}, h('h3', {}, index.name), h('p', { class: 'warning' }, sentence(index.error.message)));
}

/** @param {IndexStatus} index @param {boolean} isNamed */
function readIndexView(
  { name, documents, chunks, formats, embedder, rebuild, shards, bytesOnDisk, failed, skipped, warnings, ingest },
  isNamed,
) {
  const sorted = Object.entries(formats).sort((a, b) => b[1] - a[1]);
  const notes = warnings.filter(({ leftOut }) => leftOut === undefined);
  return h(
    'section',
    {},
    isNamed && h('h3', {}, name),
    h(
      'p',
      {},
      `${counted(documents, 'document')}, ${counted(chunks, 'passage')}${bytesOnDisk === undefined ? '' : `, ${sizeText(bytesOnDisk)}`}`,
    ),
    shards !== undefined &&
      shards.missing.length > 0 &&
      h(
        'p',
        { class: 'warning' },
        `${shards.missing.length} of ${shards.asked} parts of the index cannot be read; their documents are not counted.`,
      ),
    rebuild !== undefined &&
      h('p', { class: 'warning' }, `Nothing can be found until the index is rebuilt: ${rebuild}.`),
    ingest?.running === true && runView(ingest),
    ingest?.last && h('p', { class: 'quiet' }, lastText(ingest.last)),
    ingest?.error !== undefined && h('p', { class: 'warning' }, `The last run failed: ${ingest.error}`),
    h('p', { class: 'quiet' }, sorted.map(([format, count]) => `${format} ${count}`).join(' · ')),
    embedder !== undefined && h('p', { class: 'quiet' }, `Embedder ${embedder}`),
    problems(`${name}-failed`, 'could not be read', failed),
    problems(`${name}-skipped`, 'skipped', skipped),
    problems(`${name}-warnings`, 'read with a warning', notes),
    failed.length + skipped.length === 0 && h('p', { class: 'good' }, 'Everything was read.'),
  );
}

const MOST_LISTED = 500;

/** @param {string} id @param {string} what @param {readonly Problem[]} all */
function problems(id, what, all) {
  if (all.length === 0) return undefined;
  const rows = all
    .slice(0, MOST_LISTED)
    .map(({ uri, code, message = '' }) => h('li', {}, h('strong', {}, h('bdi', {}, uri)), ` ${message || code}`));
  const left = all.length - rows.length;
  return h(
    'details',
    { id },
    h('summary', {}, `${counted(all.length, 'file')} ${what}`),
    h(
      'ul',
      { class: 'problems', tabindex: '0' },
      ...rows,
      left > 0 && h('li', {}, `and ${left.toLocaleString('en')} more`),
    ),
  );
}

/** @param {Run} run */
function runView({ done = 0, files }) {
  const bar = h('progress', {
    'aria-label': 'Ingest',
    ...(files !== undefined && files > 0 && { max: files, value: done }),
  });
  return h('p', { class: 'running' }, bar, ` ${runText({ done, ...(files !== undefined && { files }) })}`);
}

/** @param {LastRun} last */
function lastText({ at, ...counts }) {
  const told = ['added', 'updated', 'removed', 'failed'].flatMap((name) => {
    const count = counts[/** @type {keyof typeof counts} */ (name)];
    return count > 0 ? [`${count.toLocaleString('en')} ${name}`] : [];
  });
  return `Last run ${at.slice(0, 16).replace('T', ' ')} UTC: ${told.length === 0 ? 'nothing had changed' : told.join(', ')}.`;
}

/** @param {Run} run */
export function runText({ done = 0, files = 0 }) {
  return files > 0
    ? `Reading files: ${done.toLocaleString('en')} of ${files.toLocaleString('en')}`
    : 'Looking for changes …';
}

const RUNNING_MS = 1000;
const IDLE_MS = 15_000;

/**
 * Tells the status now, and again while a run is under way or a folder is followed. A page in the background waits.
 * @param {(now: Status) => void} onStatus
 */
export async function watchStatus(onStatus) {
  for (;;) {
    /** @type {Status | undefined} */
    const now = await status().catch((error) => {
      if (error.status === 401) throw error;
      return undefined; // the server may come back
    });
    if (now) onStatus(now);
    if (now && !now.watching && !now.indexes.some(({ ingest }) => ingest?.running === true)) return;
    const isRunning = now?.indexes.some(({ ingest }) => ingest?.running === true) === true;
    await new Promise((resolve) => setTimeout(resolve, isRunning ? RUNNING_MS : IDLE_MS));
    if (document.hidden)
      await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
  }
}
