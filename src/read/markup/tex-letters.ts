/** Signs of TeX that stand over or under a letter. */
export const MARKS: Readonly<Record<string, string>> = {
  '"': '\u0308',
  "'": '\u0301',
  '`': '\u0300',
  '^': '\u0302',
  '~': '\u0303',
  c: '\u0327',
  v: '\u030c',
  u: '\u0306',
  H: '\u030b',
  k: '\u0328',
  r: '\u030a',
  d: '\u0323',
  '=': '\u0304',
  '.': '\u0307',
};
/** Letters and signs that TeX writes as commands. */
export const LETTERS: Readonly<Record<string, string>> = {
  ss: 'ß',
  o: 'ø',
  O: 'Ø',
  ae: 'æ',
  AE: 'Æ',
  aa: 'å',
  AA: 'Å',
  l: 'ł',
  L: 'Ł',
  i: 'ı',
  oe: 'œ',
  OE: 'Œ',
  dh: 'ð',
  DH: 'Ð',
  th: 'þ',
  TH: 'Þ',
  dj: 'đ',
  DJ: 'Đ',
  ng: 'ŋ',
  NG: 'Ŋ',
  textendash: '–',
  textemdash: '—',
  textquoteright: '’',
  textquoteleft: '‘',
  textquotedblright: '”',
  textquotedblleft: '“',
  textquotesingle: "'",
  textasciitilde: '~',
  textbackslash: '\\',
  textunderscore: '_',
  textdegree: '°',
  textmu: 'μ',
  texteuro: '€',
  euro: '€',
  pounds: '£',
  textregistered: '®',
  texttrademark: '™',
  textcopyright: '©',
  textellipsis: '…',
  ldots: '…',
  dots: '…',
  S: '§',
  P: '¶',
};

const SIGN = String.raw`\\["'\`^~](?:\{\\?[A-Za-z]\}|\\[ij](?![A-Za-z])|[A-Za-z])`;
const NAMED = String.raw`\\(?:ss|oe|OE|ae|AE|aa|AA|o|O|l|L|dh|DH|th|TH|dj|DJ|ng|NG)(?![A-Za-z])`;
/** Braces behind a command are its argument. */
const GROUP = String.raw`(?<!\\(?:[A-Za-z]{1,30}\*?)?|[}\]])\{`;
const SIGN_IN_BRACES = new RegExp(`${GROUP}(${SIGN})\\}`, 'g');
const NAMED_IN_BRACES = new RegExp(`${GROUP}(${NAMED})\\s*\\}`, 'g');
const ANY_SIGN = new RegExp(SIGN, 'g');
const ANY_NAMED = new RegExp(`(${NAMED})(?:\\{\\}|[^\\S\\n]+)?`, 'g');
/** Part of a word: alone, the command may be another one of the writer, as `\v{r}` for a vector. */
const BELOW = /(?<=\p{L})\\([cvuHkr])\{([A-Za-z])\}|\\([cvuHkr])\{([A-Za-z])\}(?=\p{L})/gu;
const CODE = /\\begin\{(verbatim|lstlisting|minted)\*?\}/;

/** The source with letters as they are printed: `M\"uller` is Müller. Code stays, and so do all lines. */
export function withLetters(source: string): string {
  if (!source.includes('\\')) return source;
  let end: string | undefined;
  const lines = source.split('\n').map((line) => {
    const inCode = end !== undefined;
    end ??= CODE.exec(line)?.[1];
    if (end !== undefined && line.includes(`\\end{${end}`)) end = undefined;
    return inCode || end !== undefined || /\\(?:verb|lstinline|newcommand|def)(?![a-z])/.test(line)
      ? line
      : lettersIn(line);
  });
  return lines.join('\n');
}

function lettersIn(line: string): string {
  return line
    .replace(SIGN_IN_BRACES, '$1')
    .replace(NAMED_IN_BRACES, '$1{}')
    .replace(ANY_SIGN, (found) => marked(found[1]!, /[A-Za-z]/.exec(found)![0]))
    .replace(ANY_NAMED, (_, command: string) => LETTERS[command.slice(1)]!)
    .replace(BELOW, (_, a: string, b: string, c: string, d: string) => marked(a ?? c, b ?? d));
}

function marked(sign: string, letter: string): string {
  return (letter + MARKS[sign]!).normalize('NFC');
}
