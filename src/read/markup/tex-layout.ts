/** Lines of LaTeX that print nothing of their own: they place or begin what is printed. */
import type { Printed } from './markup.ts';

const PLACED =
  'figure|table|wrapfigure|center|quote|quotation|abstract|flushleft|flushright|minipage|titlepage|verse|document';
const EDGE = new RegExp(
  `^\\s*\\\\(?:begin|end)\\{(?:${PLACED})\\*?\\}(?:\\[[^\\]]*\\])*(?:\\{[^{}]*\\})*\\s*(?:\\\\(?:centering|small|footnotesize|scriptsize)\\s*)*(?:%.*)?$`,
);
const PLACES =
  /^\s*(?:\\(?:maketitle|tableofcontents|listoffigures|listoftables|centering|raggedright|includegraphics|label|newpage|clearpage|cleardoublepage|pagebreak|bigskip|medskip|smallskip|vspace|vfill|noindent|appendix|frontmatter|mainmatter|backmatter|printbibliography|small|footnotesize|normalsize|large)(?![A-Za-z])\*?(?:\[[^\]]*\])*(?:\{[^{}]*\})*\s*)+(?:%.*)?$/;
const CAPTION = /^\s*\\caption\*?(?:\[[^\]]*\])?\{((?:[^{}]|\{[^{}]*\})*)\}\s*(?:\\label\{[^{}]*\})?\s*(?:%.*)?$/;

export const texLayout: Printed = (line) => {
  if (EDGE.test(line)) return { text: '', isEdge: true };
  if (PLACES.test(line)) return { text: '', isEdge: false };
  const caption = CAPTION.exec(line)?.[1]?.trim();
  return caption === undefined ? undefined : { text: caption, isEdge: false };
};
