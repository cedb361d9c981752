const KEY = 'ibid-asked';
const MOST = 12;

/** Questions that were asked in this browser, newest first. They are kept nowhere else. @returns {string[]} */
export function asked() {
  try {
    const value = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string').slice(0, MOST) : [];
  } catch {
    return []; // storage is off, or not ours
  }
}

/** @param {string} question */
export function keep(question) {
  store([question, ...asked().filter((one) => one !== question)].slice(0, MOST));
}

export function forget() {
  store([]);
}

/** @param {readonly string[]} questions */
function store(questions) {
  try {
    localStorage.setItem(KEY, JSON.stringify(questions));
  } catch {
    // storage is off or full: the page works without it
  }
}
