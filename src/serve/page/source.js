/** @import { DocumentPart, ShownPassage } from './api.js' */
/** @import { Mark } from './spans.js' */
import { authorization, call, loadable, Refused, sourceAddress, sourceType } from './api.js';
import { fill, h } from './dom.js';
import { linesOf } from './layout.js';
import { markAt, pdfView } from './pdf.js';
import { nameOf, placeText } from './places.js';
import { follow, player } from './player.js';
import { textView } from './source-text.js';

/** Sources that no file is asked for. @type {readonly ShownPassage['source'][]} */
const hasNoFile = ['is a web page, kept as it was read', 'was given as text, there is no file'];

/** Characters that are read before and after a span, and with each step further. */
const AROUND = 12_000;

/**
 * What is opened.
 * @typedef {object} Opened
 * @property {string} reference
 * @property {string} index '' where the server has one
 * @property {boolean} isAlone nothing else is on the page
 * @property {readonly { start: number, end: number }[]} [highlight] words that are what was asked for
 * @property {string | undefined} [quote] the words that were cited
 */

/**
 * Shows a source with its span lit up.
 * @param {HTMLElement} place
 * @param {Opened} opened
 * @param {AbortSignal} signal ends all work for this source
 * @returns {Promise<string>} its title
 */
export async function showSource(place, { reference, index, isAlone, highlight = [], quote }, signal) {
  const one = { ...(index !== '' && { index }) };
  /** @type {ShownPassage} */
  const passage = await call('/api/show', { ref: reference, ...one }, signal);
  const marks = [{ ...passage.span, kind: 'span' }, ...highlight.map((span) => ({ ...span, kind: 'highlight' }))];
  const body = h('div', { class: 'source-body' }, h('p', { class: 'quiet' }, 'Opening the source …'));
  const changed = quote !== undefined && quote !== passage.quote;
  fill(place, headOf(passage, isAlone ? 'h1' : 'h2'), changed && changedNote(), body);
  const address = sourceAddress(reference, index);
  const [type, text] = await Promise.all([
    hasNoFile.includes(passage.source) ? '' : sourceType(address, signal),
    passage.web ? undefined : partAround(passage, one, signal),
  ]);
  signal.throwIfAborted();
  if (!text) fill(body, keptView(passage, marks));
  else await fillBody(body, { passage, address, type, text, marks, one }, signal);
  body.querySelector('mark')?.scrollIntoView({ block: 'center' });
  return nameOf(passage);
}

function changedNote() {
  return h(
    'p',
    { class: 'warning', role: 'alert' },
    'The document has changed since it was cited: other words stand at this place now. Ask again.',
  );
}

/** @param {ShownPassage} passage @param {'h1' | 'h2'} heading */
function headOf(passage, heading) {
  const { uri, place, source, web, metadata } = passage;
  const where = placeText(place);
  const said = source === 'same' || hasNoFile.includes(source) ? '' : `The file ${source}.`;
  const facts = Object.entries(metadata).filter(([, value]) => value !== null && value !== '');
  return h(
    'header',
    { class: 'source-head' },
    h(heading, { tabindex: '-1', id: 'source-title' }, nameOf(passage)),
    h('p', { class: 'quiet' }, h('bdi', {}, web ? pageLink(uri) : uri), where !== '' && ` · ${where}`),
    web && h('p', { class: 'quiet' }, `Kept as it was read on ${web.fetchedAt.slice(0, 10)}.`),
    said !== '' && h('p', { class: 'warning' }, said),
    facts.length > 0 &&
      h(
        'details',
        { class: 'facts' },
        h('summary', {}, 'About this document'),
        h('dl', {}, ...facts.flatMap(([key, value]) => [h('dt', {}, key), h('dd', {}, String(value))])),
      ),
  );
}

/** @param {string} uri */
function pageLink(uri) {
  return /^https?:\/\//.test(uri) ? h('a', { href: uri, rel: 'noreferrer noopener', target: '_blank' }, uri) : uri;
}

/** @param {ShownPassage} passage @param {object} one @param {AbortSignal} signal @returns {Promise<DocumentPart>} */
async function partAround({ uri, span }, one, signal) {
  const from = Math.max(0, span.start - AROUND);
  return await call('/api/document', { uri, from, to: span.end + AROUND, ...one }, signal);
}

/** The text of a page of the web as far as it stands around the quote. @param {ShownPassage} passage @param {readonly Mark[]} marks */
function keptView({ before, quote, after, span }, marks) {
  const text = before + quote + after;
  return textView({ text, from: span.start - before.length, format: 'html', marks, places: [] });
}

/**
 * @param {HTMLElement} body
 * @param {{ passage: ShownPassage, address: string, type: string, text: DocumentPart, marks: readonly Mark[], one: object }} source
 * @param {AbortSignal} signal
 */
async function fillBody(body, source, signal) {
  const { passage, address, type } = source;
  const { place, quote, before } = passage;
  const title = nameOf(passage);
  const save = type === '' ? undefined : h('p', { class: 'quiet save' }, saveLink(address, passage.uri));
  if (type === 'application/pdf') {
    const region = place.ocr?.region;
    const asText = documentView(source, signal);
    const pdf = await pdfView(
      { address, title, page: place.page ?? 1, quote, before, ...(region && { region }) },
      signal,
    ).catch((/** @type {unknown} */ error) => {
      signal.throwIfAborted();
      return error;
    });
    if (pdf === null || typeof pdf !== 'object' || !('draw' in pdf))
      return fill(body, h('p', { class: 'warning' }, 'The PDF cannot be drawn here; this is its text.'), asText);
    const drawn = /** @type {{ view: HTMLElement, draw: () => Promise<void> }} */ (pdf);
    fill(body, inTwo(drawn.view, asText), save);
    return await drawn.draw();
  }
  if (/^image\/(?:png|jpeg|gif|webp)/.test(type)) {
    const picture = h(
      'div',
      { class: 'sheet' },
      h('img', { src: await loadable(address, signal), alt: `The picture ${title}` }),
    );
    if (place.ocr) picture.append(markAt(place.ocr.region));
    return fill(body, inTwo(picture, documentView(source, signal)));
  }
  if (/^(?:audio|video)\//.test(type)) {
    const { media, seek } = player(await loadable(address, signal), type, place.timeMs?.[0] ?? 0);
    const text = documentView(source, signal, { seek, onShown: (shown) => follow(media, shown) });
    signal.addEventListener('abort', () => media.pause(), { once: true });
    return fill(body, h('div', { class: 'player' }, media), text);
  }
  fill(body, documentView(source, signal), save);
}

/** @param {string} address @param {string} uri */
function saveLink(address, uri) {
  const name = uri.split('/').at(-1) ?? 'source';
  if (Object.keys(authorization()).length === 0) return h('a', { href: address, download: name }, 'Save the file');
  const save = async () => {
    const ends = new AbortController();
    h('a', { href: await loadable(address, ends.signal), download: name }).click();
    setTimeout(() => ends.abort(), 60_000);
  };
  return h('button', { type: 'button', onclick: save }, 'Save the file');
}

/** The source as it looks, and its text, one at a time. @param {HTMLElement} looks @param {HTMLElement} text */
function inTwo(looks, text) {
  const choose = (/** @type {boolean} */ isText) => {
    looks.hidden = isText;
    text.hidden = !isText;
    asPage.setAttribute('aria-pressed', String(!isText));
    asText.setAttribute('aria-pressed', String(isText));
    if (isText) text.querySelector('mark')?.scrollIntoView({ block: 'center' });
  };
  const asPage = h('button', { type: 'button', onclick: () => choose(false) }, 'As it looks');
  const asText = h('button', { type: 'button', onclick: () => choose(true) }, 'As text');
  choose(false);
  return h('div', {}, h('div', { class: 'choice', role: 'group', 'aria-label': 'View' }, asPage, asText), looks, text);
}

/**
 * The text of a document around the span; more of it on request.
 * @param {{ passage: ShownPassage, text: DocumentPart, marks: readonly Mark[], one: object }} source
 * @param {AbortSignal} signal
 * @param {{ seek?: (ms: number) => void, onShown?: (view: HTMLElement) => void }} [player]
 */
function documentView({ passage, text: part, marks, one }, signal, { seek, onShown } = {}) {
  const place = h('div', { class: 'document', tabindex: '-1' });
  /** @type {string | undefined} */
  let header;
  let whole = part;
  const show = () => {
    const { text, span, format, length, places = [] } = whole;
    // a part begins with a line, so that numbers and tables are right
    const cut = span.start === 0 ? 0 : Math.min(text.indexOf('\n') + 1, Math.max(0, passage.span.start - span.start));
    const from = span.start + cut;
    const shown = text.slice(cut);
    const firstLine = format === 'code' ? lineAt(passage, shown, from) : undefined;
    const view = textView({
      ...{ text: shown, from, format, marks, places },
      ...(firstLine !== undefined && { firstLine }),
      ...(header !== undefined && from > 0 && { header }),
      ...(seek && { seek }),
    });
    const more = (/** @type {string} */ label, /** @type {number} */ start, /** @type {number} */ end) => {
      const button = h('button', { type: 'button', class: 'more', onclick: () => read(button, start, end) }, label);
      return button;
    };
    fill(
      place,
      from > 0 && more('Show what stands before', Math.max(0, span.start - AROUND * 4), span.start),
      view,
      span.end < length && more('Show what follows', span.end, span.end + AROUND * 4),
    );
    onShown?.(view);
  };
  const read = async (
    /** @type {HTMLButtonElement} */ button,
    /** @type {number} */ from,
    /** @type {number} */ to,
  ) => {
    if (button.ariaBusy === 'true') return;
    button.ariaBusy = 'true'; // a part is read once
    try {
      const further = await call('/api/document', { uri: passage.uri, from, to, ...one }, signal);
      const joined = joinedParts(whole, further);
      if (!joined) throw new Refused(409, { message: 'The document has changed. Open it again.' });
      whole = joined;
      const before = markTop(place);
      show();
      // the words that were in sight stay there, in whatever scrolls
      for (const one of [place.closest('#source'), window]) one?.scrollBy(0, markTop(place) - before);
      const next = [...place.querySelectorAll('.more')].find((one) => one.textContent === button.textContent);
      (next instanceof HTMLElement ? next : place).focus({ preventScroll: true });
    } catch (error) {
      button.ariaBusy = null;
      if (error instanceof Refused) place.append(h('p', { class: 'warning' }, error.message));
      else if (!signal.aborted) throw error;
    }
  };
  show();
  if (part.format === 'csv' && part.span.start > 0)
    void call('/api/document', { uri: passage.uri, from: 0, to: 4000, ...one }, signal).then(
      (/** @type {DocumentPart} */ { text }) => {
        header = linesOf(text, 0)[0]?.text;
        show();
        place.querySelector('mark')?.scrollIntoView({ block: 'center' });
      },
      () => undefined, // without names of columns
    );
  return place;
}

/** @param {HTMLElement} place */
function markTop(place) {
  return place.querySelector('mark')?.getBoundingClientRect().top ?? 0;
}

/**
 * Two parts that follow each other, in either order, as one; undefined where they do not.
 * @param {DocumentPart} part
 * @param {DocumentPart} further
 * @returns {DocumentPart | undefined}
 */
function joinedParts(part, further) {
  const [first, last] = further.span.start < part.span.start ? [further, part] : [part, further];
  if (first.span.end !== last.span.start || first.length !== last.length) return undefined;
  return {
    ...{ ...part, span: { start: first.span.start, end: last.span.end }, text: first.text + last.text },
    places: [...(first.places ?? []), ...(last.places ?? [])],
  };
}

/** The line of the source at the beginning of a text, from the line of the quote. @param {ShownPassage} passage @param {string} text @param {number} from */
function lineAt({ place, span }, text, from) {
  if (!place.lines) return undefined;
  return place.lines[0] - (text.slice(0, Math.max(0, span.start - from)).match(/\n/g)?.length ?? 0);
}
