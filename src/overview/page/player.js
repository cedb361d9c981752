// Marks the sentence that is being said, and the sources that it cites. Loads nothing.
const audio = /** @type {HTMLAudioElement} */ (document.querySelector('audio'));
const sentences = [...document.querySelectorAll('[data-from]')].map((element) => ({
  element,
  from: Number(element.getAttribute('data-from')) / 1000,
  to: Number(element.getAttribute('data-to')) / 1000,
}));
/** @type {Element | undefined} */
let said;

function follow() {
  const now = audio.currentTime;
  // between two sentences the one before stays marked
  const heard = now === 0 && audio.paused ? undefined : sentences.findLast(({ from }) => from <= now)?.element;
  if (heard === said) return;
  for (const old of document.querySelectorAll('.said')) old.classList.remove('said');
  for (const old of document.querySelectorAll('[aria-current]')) old.removeAttribute('aria-current');
  said = heard;
  if (!said) return;
  said.classList.add('said');
  said.setAttribute('aria-current', 'true');
  for (const mark of said.querySelectorAll('a')) document.getElementById(mark.hash.slice(1))?.classList.add('said');
  if (!audio.paused) said.scrollIntoView({ block: 'nearest' });
}

/** @param {number} seconds */
function playFrom(seconds) {
  audio.currentTime = seconds;
  void audio.play().catch(() => undefined); // a browser may want a click on the player itself first
}

for (const event of ['timeupdate', 'seeked', 'play']) audio.addEventListener(event, follow);
for (const { element, from } of sentences)
  element.addEventListener('click', (event) => {
    if (!(event.target instanceof HTMLAnchorElement)) playFrom(from);
  });
for (const button of document.querySelectorAll('button[data-at]'))
  button.addEventListener('click', () => playFrom(Number(button.getAttribute('data-at')) / 1000));
