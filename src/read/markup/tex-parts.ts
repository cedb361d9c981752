/** Parts of LaTeX that are lists and titles under names of their own: bibliographies and slides. Each line stays a line. */
import { argumentAt } from './tex-arguments.ts';
import { SlideBraces } from './tex-slides.ts';

const BIBLIOGRAPHY = /^[ \t]*\\begin\{thebibliography\}/m;
const CODE = /^\s*\\(begin|end)\{(?:verbatim|lstlisting|minted|Verbatim|comment)\*?\}/;
const FRAME = /^[ \t]*\\(?:begin\{frame\}|frametitle(?![A-Za-z]))/m;
/** What stands between the name of a frame and its title: `<1->[fragile]`. */
const OPTIONS = /^(?:\s*(?:<[^>]*>|\[[^\]]*\]))*/;
const TITLE = /^\s*\\(?:begin\{(?:frame|(?:alert|example)?block)\}|frametitle)/;
const PLACES =
  /^\s*\\(?:begin|end)\{(?:frame|columns?|(?:alert|example)?block|overprint|onlyenv)\}(?:<[^>]*>|\[[^\]]*\]|\{[^{}]*\})*\s*(?:%.*)?$|^\s*\\(?:pause|titlepage|frame\{\\titlepage\}|column\{[^{}]*\})\s*(?:%.*)?$/;

export function withParts(source: string): string {
  const hasBibliography = BIBLIOGRAPHY.test(source);
  const hasFrames = FRAME.test(source);
  if (!hasBibliography && !hasFrames) return source;
  const braces = new SlideBraces();
  let isCode = false;
  const lines = source.split('\n').map((line) => {
    const code = CODE.exec(line)?.[1];
    if (code !== undefined) isCode = code === 'begin';
    if (isCode) return line;
    const listed = hasBibliography ? asItem(line) : line;
    return hasFrames ? asTitle(braces.read(listed)) : listed;
  });
  return lines.join('\n');
}

function asItem(line: string): string {
  return line
    .replace(/^\s*\\(begin|end)\{thebibliography\}(?:\{[^{}]*\})?/, '\\$1{enumerate}')
    .replace(/^\s*\\bibitem\s*(\[(?:[^[\]{}]|\{[^{}]*\})*\])?\s*\{[^{}]*\}/, (_, label = '') => `\\item${label} `)
    .replace(/\\newblock(?![A-Za-z])\s*/g, '');
}

/** The title of a slide or of a block on it is that of a section. */
function asTitle(line: string): string {
  const begin = TITLE.exec(line);
  if (begin) {
    const behind = line.slice(begin[0].length);
    const options = OPTIONS.exec(behind)![0];
    const title = argumentAt(behind.slice(options.length), 0);
    if (title.text.trim() !== '') {
      const level = /block/.test(begin[0]) ? 'subsubsection' : 'subsection';
      const rest = behind.slice(options.length + title.end);
      const subtitle = /block|frametitle/.test(begin[0]) ? { text: '', end: 0 } : argumentAt(rest, 0);
      const whole = subtitle.text.trim() === '' ? title.text : `${title.text}: ${subtitle.text}`;
      return `\\${level}{${whole}}${subtitle.text === '' ? rest : rest.slice(subtitle.end)}`;
    }
  }
  return PLACES.test(line) ? '' : line;
}
