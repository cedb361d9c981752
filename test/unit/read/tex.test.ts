import { expect, test } from 'vitest';
import { headings, outline, parse } from './helpers.ts';

test('a title of a section over several lines is one heading, and text behind a title is text', async () => {
  const source = String.raw`\section{Moorings of the north pier and
of the south pier}\label{sec:moorings}
Tie the bow line.

\paragraph{Guests.} They pay on Monday, and leave
on Friday.

\subsection{\texorpdfstring{Fees in \emph{winter}}{Fees in winter}} % a remark
None.

\section{Unfinished`;
  const document = await parse('a.tex', source);
  expect(headings(document)).toEqual([
    [2, 'Moorings of the north pier and of the south pier'],
    [5, 'Guests.'],
    [3, 'Fees in winter'],
  ]);
  expect(document.text.split('\n\n')).toEqual([
    'Moorings of the north pier and of the south pier',
    'Tie the bow line.',
    'Guests.',
    'They pay on Monday, and leave\non Friday.',
    'Fees in winter',
    'None.',
    String.raw`\section{Unfinished`,
  ]);
  expect(outline(document).filter(([kind]) => kind !== 'heading')).toEqual([
    ['paragraph', 'Tie the bow line.'],
    ['paragraph', 'They pay on Monday, and leave\non Friday.'],
    ['paragraph', 'None.'],
    ['paragraph', String.raw`\section{Unfinished`],
  ]);
});

test('a title keeps its formulas and notes', async () => {
  const source = String.raw`\section{The $\alpha$ test\footnote{Of 2019.}}
Done.`;
  const document = await parse('a.tex', source);
  expect(document.text).toBe(String.raw`The $\alpha$ test\footnote{Of 2019.}

Done.`);
});

test('tables are rows with names: rules of every kind, cells over columns and rows, commands that only show', async () => {
  const source = String.raw`\begin{table}[h]
\centering
\caption{Fees of a night}
\begin{tabular}{@{}l|r{2cm}r@{}}
\toprule
\textbf{Boat} & \multicolumn{2}{c}{Fee \& tax} \\ \cmidrule(lr){2-3}
 & Summer & Winter \\
\midrule
\multirow{2}{*}{Yacht} & \$25 & $8.50$ \\[2pt]  % the small ones
 & {30} & 9 \\
\rowcolor{gray} Raft & \makecell{not\\allowed} & $\alpha_1$ \\
\bottomrule
\end{tabular}
\end{table}`;
  const { text, locators } = await parse('a.tex', source);
  expect(text.split('\n')).toEqual([
    'Fees of a night',
    'Boat | Fee & tax | Fee & tax',
    ' | Summer | Winter',
    '--- | --- | ---',
    'Yacht | $25 | $8.50$',
    'Yacht | 30 | 9',
    String.raw`Raft | not allowed | $\alpha_1$`,
  ]);
  const raft = text.indexOf('Raft');
  expect(locators.find(({ start }) => start === raft)?.lines).toEqual([11, 11]);
});

test('a long table says its names once, with its caption; a grid of lines has names in its first row', async () => {
  const source = String.raw`\begin{longtable}[]{@{}ll@{}}
\caption{Lamps \label{tab:l}}\\
\toprule
Lamp & Place \\
\midrule
\endfirsthead
\toprule
Lamp & Place \\
\midrule
\endhead
red & east \\
green & west
\end{longtable}

\begin{tabularx}{\textwidth}{|l|X|}
\hline
Port & Ships \\ \hline
Bergen & 3 \\ \hline
Skagen & 4 \\ \hline
\end{tabularx}

\begin{tabular}{ll}
Head & Olaf \\
Cook & Bo
\end{tabular}`;
  const document = await parse('a.tex', source);
  expect(outline(document)).toEqual([
    ['paragraph', String.raw`Lamps \label{tab:l}`],
    ['table', 'Lamp | Place\n--- | ---\nred | east\ngreen | west'],
    ['table', 'Port | Ships\n--- | ---\nBergen | 3\nSkagen | 4'],
    ['list', '- Head: Olaf\n- Cook: Bo'],
  ]);
});

test('no word is lost beside a table, in a table inside another, and where a table does not end', async () => {
  const source = String.raw`See \begin{tabular}{l} one & \begin{tabular}{l} two \\ three \end{tabular} \\ four \end{tabular} and five.

\begin{tabular}{ll}
six & seven \\`;
  const { text } = await parse('a.tex', source);
  for (const word of ['See', 'one', 'two', 'three', 'four', 'five', 'six', 'seven']) expect(text).toContain(word);
});

test('what sets up a document or defines a command is code; its title, author and abstract are text', async () => {
  const source = String.raw`\documentclass[11pt]{article}
\usepackage[utf8]{inputenc}
\newcommand{\boat}[1]{%
  \textsc{#1}}
\hypersetup{colorlinks=true,
  linkcolor=blue}

\title{On
  Tides}
\author{Mira Lund \and
  Ivo Berg}
% for the printer
\def\kilo{kg}
\begin{document}
\maketitle
\newcommand{\late}{late}
The gauge weighs two \kilo{}.
\end{document}`;
  expect(outline(await parse('a.tex', source))).toEqual([
    ['code', source.slice(0, source.indexOf('\n\n\\title'))],
    ['heading', 'On Tides'],
    [
      'paragraph',
      String.raw`\author{Mira Lund \and
  Ivo Berg}`,
    ],
    ['code', '% for the printer\n\\def\\kilo{kg}'],
    ['code', String.raw`\newcommand{\late}{late}`],
    ['paragraph', 'The gauge weighs two \\kilo{}.'],
  ]);
});

test('a part of a document: definitions are code, its text is text', async () => {
  const { blocks } = await parse('part.tex', '\\newcommand{\\x}{y}\n\\section{Keel}\nText of the part.');
  expect(blocks.map(({ kind }) => kind)).toEqual(['code', 'heading', 'paragraph']);
});

test('commands that only place what is printed are left out, and lines of the source are told', async () => {
  const source = String.raw`\begin{document}
We lift.
\label{sec:lift}
And we pull.

\begin{figure}[ht]
\centering
\includegraphics[width=0.8\textwidth]{crane.png}
\caption[K3]{The crane \emph{K3} lifts 9 tonnes.} \label{fig:k3}
\end{figure}
\begin{theorem}[Stern]
A rope has two ends.
\end{theorem}
\end{document}`;
  const document = await parse('a.tex', source);
  expect(document.text).toBe(String.raw`We lift.
And we pull.

The crane \emph{K3} lifts 9 tonnes.

\begin{theorem}[Stern]
A rope has two ends.
\end{theorem}`);
  const at = document.text.indexOf('The crane');
  expect(document.locators.find(({ start }) => start === at)?.lines).toEqual([9, 9]);
});

test('code of R in a document of LaTeX (Sweave, knitr) is code', async () => {
  const source =
    '\\documentclass{article}\n\\begin{document}\n\\section{Tides}\nThey rise.\n<<plot, echo=FALSE>>=\nx <- 1 # @ home\nplot(x)\n@\nThey fall.\n<<no>>=\nend\n\\end{document}\n';
  const document = await parse('a.Rnw', source);
  expect(document.format).toBe('tex');
  const code = document.blocks.filter(({ kind, language }) => kind === 'code' && language === 'r');
  expect(code.map(({ start, end }) => document.text.slice(start, end))).toEqual([
    '<<plot, echo=FALSE>>=\nx <- 1 # @ home\nplot(x)\n@',
  ]);
  expect(document.text).toContain('They fall.');
});
