import { h } from './dom.js';

/**
 * A player that starts at a time. Words with `data-from` and `data-to` (ms) are lit up while they are heard.
 * @param {string} address
 * @param {string} type media type
 * @param {number} startMs
 */
export function player(address, type, startMs) {
  const tag = type.startsWith('video/') ? 'video' : 'audio';
  const media = h(tag, { controls: true, preload: 'metadata', src: address, 'aria-label': 'Recording' });
  media.addEventListener('loadedmetadata', () => {
    media.currentTime = startMs / 1000;
  });
  const seek = (/** @type {number} */ ms) => {
    media.currentTime = ms / 1000;
    void media.play().catch(() => undefined); // a browser may want a click on the player itself first
  };
  return { media, seek };
}

/**
 * Lights up what is heard.
 * @param {HTMLMediaElement} media
 * @param {HTMLElement} text
 */
export function follow(media, text) {
  const words = [...text.querySelectorAll('[data-from]')].map((element) => ({
    ...{ element, from: Number(element.getAttribute('data-from')), to: Number(element.getAttribute('data-to')) },
  }));
  /** @type {Element[]} */
  let lit = [];
  media.addEventListener('timeupdate', () => {
    const now = heardAt(words, media.currentTime * 1000);
    for (const element of lit) element.classList.remove('heard');
    for (const { element } of now) element.classList.add('heard');
    lit = now.map(({ element }) => element);
    if (!media.paused) lit[0]?.scrollIntoView({ block: 'nearest' });
  });
}

/**
 * Those whose time it is.
 * @template {{ readonly from: number, readonly to: number }} T
 * @param {readonly T[]} words
 * @param {number} ms
 * @returns {T[]}
 */
export function heardAt(words, ms) {
  return words.filter(({ from, to }) => from <= ms && ms < to);
}
