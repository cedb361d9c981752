import { authorization } from './api.js';
import { h } from './dom.js';
import { quoteOnPage } from './pdf-marks.js';

/** The build of pdf.js that the reader of PDFs uses too. Loaded when the first PDF is opened. */
const PDF_JS = '/pdf.mjs';
/** A page is drawn no wider than this many pixels of a screen, */
const MOST_WIDTH = 2400;
/** and with no more than every browser gives a canvas, on a side and in all: beyond them it stays white. */
const MOST_SIDE = 32_767;
const MOST_PIXELS = 2 ** 24;

/**
 * @typedef {object} PdfSource
 * @property {string} address of the bytes
 * @property {string} title
 * @property {number} page from 1
 * @property {string} quote
 * @property {string} before
 * @property {readonly [number, number, number, number]} [region] of words that were read from a picture
 */

/**
 * Pages of a PDF, one at a time, with the words of the quote marked on them.
 * @param {PdfSource} source
 * @param {AbortSignal} signal ends the work and frees the document
 */
export async function pdfView(source, signal) {
  const { getDocument } = await import(/** @type {string} */ (PDF_JS));
  const loading = getDocument({
    url: source.address,
    httpHeaders: authorization(),
    isEvalSupported: false,
    verbosity: 0,
  });
  signal.addEventListener('abort', () => void loading.destroy(), { once: true });
  const pdf = await loading.promise;
  const sheet = h('div', { class: 'sheet' });
  const note = h('p', { class: 'warning', role: 'status' });
  const label = h('span', { role: 'status' });
  let page = Math.min(source.page, pdf.numPages);
  const back = h('button', { type: 'button', onclick: () => turn(-1) }, 'Previous page');
  const on = h('button', { type: 'button', onclick: () => turn(1) }, 'Next page');
  const turn = async (/** @type {number} */ by) => {
    page = Math.min(pdf.numPages, Math.max(1, page + by));
    await draw().catch((/** @type {unknown} */ error) => {
      if (!signal.aborted) throw error;
    });
  };
  const draw = async () => {
    label.textContent = `Page ${page} of ${pdf.numPages}`;
    back.disabled = page === 1;
    on.disabled = page === pdf.numPages;
    const drawn = page;
    /** @type {Awaited<ReturnType<typeof pageParts>>} */
    let made;
    try {
      made = await pageParts(pdf, sheet.clientWidth, source, drawn);
    } catch (error) {
      if (signal.aborted) throw error;
      made = { parts: [], said: 'This page cannot be drawn here; its words stand under “As text”.' };
    }
    if (drawn !== page) return; // another page was turned to meanwhile
    note.textContent = made.said;
    sheet.replaceChildren(...made.parts);
    sheet.querySelector('.region')?.scrollIntoView({ block: 'center' });
  };
  const view = h('div', { class: 'pdf' }, h('div', { class: 'pages' }, back, label, on), note, sheet);
  return { view, draw };
}

/**
 * A page as it looks, the marks on it, and what is to be said of it.
 * @param {any} pdf of pdf.js
 * @param {number} width of the place
 * @param {PdfSource} source
 * @param {number} number
 */
async function pageParts(pdf, width, source, number) {
  const page = await pdf.getPage(number);
  const own = page.getViewport({ scale: 1 });
  const wide = Math.min(MOST_WIDTH, Math.max(320, width) * Math.min(2, devicePixelRatio || 1));
  const most = Math.min(MOST_SIDE / own.height, Math.sqrt(MOST_PIXELS / (own.width * own.height)));
  const viewport = page.getViewport({ scale: Math.min(wide / own.width, most) });
  const canvas = h('canvas', { role: 'img', 'aria-label': `Page ${number} of ${source.title}, as it looks` });
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  await page.render({ canvas, canvasContext: canvas.getContext('2d'), viewport }).promise;
  const boxes = await boxesOf(pdf, page, viewport, source, number);
  return { parts: [canvas, ...boxes.map((box) => markAt(box))], said: missingOn(page) };
}

/** What could not be drawn, in words. @param {any} page */
function missingOn(page) {
  // pictures in JBIG2 and JPEG 2000 have decoders that are not in this build of pdf.js
  if ([...page.objs, ...page.commonObjs].some(([, picture]) => picture === null))
    return 'A picture on this page cannot be drawn here. Save the file to see it.';
  // nor are the tables of Chinese, Japanese and Korean fonts that a file only names: such a font is its error
  if ([...page.commonObjs].some(([, font]) => typeof font === 'string'))
    return 'Some letters of this document cannot be drawn here; its words stand under “As text”.';
  return '';
}

/**
 * Boxes of the quote, as shares of width and height of the page.
 * @param {any} pdf
 * @param {any} page
 * @param {any} viewport
 * @param {PdfSource} source
 * @param {number} number
 */
async function boxesOf(pdf, page, viewport, { quote, before, page: first, region }, number) {
  if (region) return number === first ? [region] : [];
  if (number < first || number > first + 1) return [];
  if (number > first) {
    const { share } = quoteOnPage((await textsOf(await pdf.getPage(first))).map(strOf), quote, before);
    if (share === 1) return []; // the same words on the next page are others
  }
  const texts = await textsOf(page);
  const { ranges } = quoteOnPage(texts.map(strOf), quote, before);
  return ranges.map(({ item, start, end }) => boxOf(texts[item], start, end, viewport));
}

/** @param {any} page @returns {Promise<any[]>} */
async function textsOf(page) {
  return (await page.getTextContent()).items.filter((/** @type {any} */ { str }) => typeof str === 'string');
}

/** @param {any} item @returns {string} */
function strOf({ str }) {
  return str;
}

/**
 * The box of a part of a text item; its letters are taken as equally wide.
 * @param {any} item
 * @param {number} start
 * @param {number} end
 * @param {any} viewport
 * @returns {[number, number, number, number]}
 */
export function boxOf({ str, dir, transform, width, height }, start, end, viewport) {
  const [a, b, c, d, x, y] = transform;
  const along = Math.hypot(a, b) || 1;
  const up = Math.hypot(c, d) || 1;
  const tall = height || up;
  const corner = (/** @type {number} */ far, /** @type {number} */ high) =>
    viewport.convertToViewportPoint(x + (a / along) * far + (c / up) * high, y + (b / along) * far + (d / up) * high);
  const [first, last] = dir === 'rtl' ? [str.length - end, str.length - start] : [start, end];
  const [from, to] = [(width * first) / str.length, (width * last) / str.length];
  const corners = [
    corner(from, -0.22 * tall),
    corner(to, -0.22 * tall),
    corner(from, 0.9 * tall),
    corner(to, 0.9 * tall),
  ];
  const xs = corners.map(([one]) => one / viewport.width);
  const ys = corners.map(([, one]) => one / viewport.height);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** @param {readonly [number, number, number, number]} region left, top, right, bottom as shares */
export function markAt([left, top, right, bottom]) {
  const mark = h('div', { class: 'region' });
  const share = (/** @type {number} */ value) => `${(value * 100).toFixed(3)}%`;
  Object.assign(mark.style, {
    ...{ left: share(left), top: share(top), width: share(right - left), height: share(bottom - top) },
  });
  return mark;
}
