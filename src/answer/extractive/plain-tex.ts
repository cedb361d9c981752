/** Signs that TeX writes with a command. */
const signs: Readonly<Record<string, string>> = {
  circ: '°',
  times: '×',
  cdot: '·',
  pm: '±',
  le: '≤',
  leq: '≤',
  ge: '≥',
  geq: '≥',
  approx: '≈',
  sim: '~',
  to: '→',
  ldots: '…',
  dots: '…',
  mu: 'µ',
  alpha: 'α',
  beta: 'β',
  gamma: 'γ',
  delta: 'δ',
  lambda: 'λ',
  sigma: 'σ',
  pi: 'π',
};
const sign = new RegExp(`\\^?\\{?\\\\(${Object.keys(signs).join('|')})(?![a-zA-Z])\\}?\\s?`, 'g');

/** Commands whose argument is read, and those whose argument is a mark for the machine. */
const shown =
  /\\(?:emph|text(?:bf|it|tt|sc|rm|sf|up|normal)?|mathrm|mathit|mathbf|mbox|underline|enquote|url)\s*\{([^{}]*)\}/g;
const hidden =
  /[ ~]?\\(?:cite[a-z]*|footnote|label|thanks|index|vspace|hspace)\*?(?:\[[^\]]*\])*\{[^{}]*\}|(?<!\\)%[^\n]*/g;

/**
 * A sentence of TeX as it reads: `83\,\%` is 83 %. Formulas keep what has no sign of its own.
 * @param text of one paragraph, without verbatim parts
 */
export function plainTex(text: string): string {
  let out = text.replace(hidden, '');
  for (let depth = 0; depth < 3 && /\\[a-z]+\s*\{/.test(out); depth++) out = out.replace(shown, '$1');
  return out
    .replace(/\\(?:begin|end)\{[^{}]*\}|\\(?:maketitle|item|noindent|centering|par|\\)(?![a-zA-Z])/g, ' ')
    .replace(sign, (_, name: string) => signs[name]!)
    .replace(/\\[,;:! ]|~/g, ' ')
    .replace(/(?<!\\)\$\$?/g, '')
    .replace(/\{([.,])\}/g, '$1')
    .replace(/\\([&%$#_{}])/g, '$1')
    .replace(/---/g, '—')
    .replace(/(?<!-)--(?!-)/g, '–')
    .replace(/``|''/g, '"');
}
