/** What stands on top of a paper, its bibliography, and slides. */
import { expect, test } from 'vitest';
import { headings, outline, parse } from './helpers.ts';

test('title, authors and date are printed without their commands; authors are metadata', async () => {
  const source = String.raw`\documentclass{article}
\title{On the Tides of Arlen\thanks{Funded by the Sea Fund.}}
\author{Ines Vogt\inst{1} \and Max Lee\thanks{Writes to all.}}
\date{March 2025}
\begin{document}
\maketitle
\begin{table}[h]\centering
\caption{Heights}
\end{table}
High.
\end{document}`;
  const document = await parse('a.tex', source);
  expect(document.title).toBe('On the Tides of Arlen');
  expect(document.metadata.author).toBe('Ines Vogt, Max Lee');
  expect(outline(document).slice(1)).toEqual([
    ['heading', String.raw`On the Tides of Arlen\thanks{Funded by the Sea Fund.}`],
    ['paragraph', 'Ines Vogt, Max Lee (Writes to all.)\nMarch 2025'],
    ['paragraph', 'Heights'],
    ['paragraph', 'High.'],
  ]);
});

test('a bibliography is a list', async () => {
  const source = String.raw`See~\cite{lee}.

\begin{thebibliography}{9}
\bibitem{lee} M. Lee,
\newblock \emph{Waves}, 2020.
\bibitem[Vogt(2021)]{vogt} I. Vogt. Tides.
\end{thebibliography}
The end.`;
  expect(outline(await parse('a.tex', source))).toEqual([
    ['paragraph', String.raw`See~\cite{lee}.`],
    ['list', '1. M. Lee,\n   \\emph{Waves}, 2020.\n- Vogt(2021) I. Vogt. Tides.'],
    ['paragraph', 'The end.'],
  ]);
});

test('slides have their titles as headings, blocks too', async () => {
  const source = String.raw`\documentclass{beamer}
\title[Short]{Tides in Practice}
\begin{document}
\section{Basics}
\begin{frame}<1->[fragile]{What is a tide?}{A reminder}
\begin{alertblock}{Take care}
The sea rises.
\end{alertblock}
\pause
\end{frame}
\begin{frame}
\frametitle{Code}
\begin{verbatim}
\begin{frame}{No title}
\end{verbatim}
Run it.
\end{frame}
\end{document}`;
  const document = await parse('a.tex', source);
  expect(headings(document)).toEqual([
    [1, 'Tides in Practice'],
    [2, 'Basics'],
    [3, 'What is a tide?: A reminder'],
    [4, 'Take care'],
    [3, 'Code'],
  ]);
  expect(
    outline(document)
      .filter(([kind]) => kind !== 'heading')
      .slice(1),
  ).toEqual([
    ['paragraph', 'The sea rises.'],
    ['code', '\\begin{verbatim}\n\\begin{frame}{No title}\n\\end{verbatim}'],
    ['paragraph', 'Run it.'],
  ]);
});

test('slides that are written as commands, in steps', async () => {
  const source = String.raw`\documentclass{beamer}
\begin{document}
\frame{\titlepage}
\frame[label=past]{
  \frametitle{The past}
  \framesubtitle{\textbf{Before 2004}}
  \only<1>{\includegraphics{a}}
  \begin{block}<+->{Boot}
    \begin{itemize}
    \item<2-> Used with \emph{Woody}
    \end{itemize}
  \end{block}
  \only<2->{
    It takes 10\% of a day. % no {
  }
}
\frame
{
  \frametitle{Now}
  A {\bf box} stands.}
After \frame{a box}.
\end{document}`;
  const document = await parse('a.tex', source);
  expect(headings(document)).toEqual([
    [3, 'The past'],
    [4, 'Boot'],
    [3, 'Now'],
  ]);
  expect(
    outline(document)
      .filter(([kind]) => kind !== 'heading')
      .slice(1)
      .map(([, text]) => text.replace(/\s+/g, ' ').trim()),
  ).toEqual([
    String.raw`\textbf{Before 2004}`,
    String.raw`- Used with \emph{Woody}`,
    String.raw`It takes 10\% of a day. % no {`,
    String.raw`A {\bf box} stands. After \frame{a box}.`,
  ]);
});
