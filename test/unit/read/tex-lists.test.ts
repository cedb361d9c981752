import { expect, test } from 'vitest';
import { outline, parse } from './helpers.ts';

const read = async (source: string): Promise<(readonly [string, string])[]> =>
  outline(await parse('a.tex', source)).map(([kind, text]) => [kind, text ?? '']);

test('items of lists have their marks and levels, and their lines are told', async () => {
  const source = String.raw`Check these points: \begin{itemize}
  \item the brake
% \item the horn
  \item<2-> the \emph{switch}
\end{itemize}
\begin{enumerate}[label=(\alph*)]
\tightlist
\item
  Turn the key.

  The lamp is green.
\item Press the pedal: \begin{enumerate}
  \item softly,
  \item then fully.
  \end{enumerate}
\end{enumerate} Then go.`;
  const document = await parse('a.tex', source);
  expect(outline(document)).toEqual([
    ['paragraph', 'Check these points:'],
    ['list', '- the brake\n% \\item the horn\n- the \\emph{switch}'],
    ['list', 'a. Turn the key.\n   The lamp is green.\nb. Press the pedal:\n  a. softly,\n  b. then fully.'],
    ['paragraph', 'Then go.'],
  ]);
  const at = document.text.indexOf('The lamp');
  expect(document.locators.find(({ start, end }) => start <= at && at < end)?.lines).toEqual([11, 11]);
});

test('terms, marks of their own, and numbers that begin later', async () => {
  const source = String.raw`
\begin{description}
\item[Boom] The long arm.
\item[{The [short] arm}]
  Jib.
\item[Nothing]
\end{description}
\begin{itemize}
\item[$\square$] open \item[$\boxtimes$] done
\end{itemize}
\begin{itemize}
\item[$\square$] open
\item[$\boxtimes$]
  done
\end{itemize}
\begin{enumerate}
\def\labelenumi{\Roman{enumi}.}
\setcounter{enumi}{3}
\item four
\item[4a.] between
\item five
\end{enumerate}`;
  expect((await read(source)).map(([, text]) => text)).toEqual([
    '- Boom: The long arm.\n- {The [short] arm}: Jib.\n- Nothing:',
    '\\item[$\\square$] open \\item[$\\boxtimes$] done',
    '- ☐ open\n- ☒ done',
    'IV. four\n- 4a. between\nV. five',
  ]);
});

test('code and tables in items stay code and tables; a list that does not end ends at the next section', async () => {
  const source = String.raw`\begin{itemize}
\item Run:
\begin{verbatim}
\item no item
\end{verbatim}
\item Fees:
\begin{tabular}{lrr}
Boat & Fee & Tax \\ \midrule
Yacht & 25 & 2 \\
\end{tabular}
\item one \item two \item three
\section{Next}
Plain.`;
  expect(await read(source)).toEqual([
    ['list', '- Run:'],
    ['code', '\\begin{verbatim}\n\\item no item\n\\end{verbatim}'],
    ['list', '- Fees:'],
    ['table', 'Boat | Fee | Tax\n--- | --- | ---\nYacht | 25 | 2'],
    ['list', '\\item one \\item two \\item three'],
    ['heading', 'Next'],
    ['paragraph', 'Plain.'],
  ]);
});
