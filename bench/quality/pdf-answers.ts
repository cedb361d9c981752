/** Questions on PDF files, from the files to cited answers. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Citation, openIndex } from '../../src/index.ts';
import { ingestWhole } from '../support/ingest.ts';
import type { AnswerModeResults, Figure } from '../support/run-file.ts';
import { holds } from './answer-figures.ts';
import { jsonLines } from './present.ts';
import { meanOf } from './score.ts';

interface PdfQuestion {
  readonly file: string;
  readonly question: string;
  readonly answers: readonly string[];
  readonly kind: string;
  readonly needs_document_named: boolean;
  readonly answer_in_pdf_text: boolean;
}

/** From the PDF files to cited spans, of the answer or beside it: the gold answer inside one, of the right file, with its page. */
export async function measurePdf(
  file: string,
  documents: string,
): Promise<{ readonly record: Record<string, unknown>; readonly modes: AnswerModeResults[] }> {
  const questions = jsonLines<PdfQuestion>(file).filter((question) => question.answer_in_pdf_text);
  const folder = mkdtempSync(join(tmpdir(), 'ibid-bench-'));
  try {
    await using index = await openIndex(join(folder, 'index'), { create: true, base: documents });
    // a file that is not in the index would count as answers not found
    await ingestWhole(index, [...new Set(questions.map(({ file: name }) => join(documents, name)))]);
    const byKind: Record<string, { questions: number; cited: number; inPassages: number }> = {};
    let refused = 0;
    const values = {
      'gold answer in a cited span, right file and page': [] as number[],
      'gold answer in a cited span of the answer itself': [] as number[],
      'gold answer in the hits': [] as number[],
      'own questions refused': [] as number[],
    };
    for (const { file, question, answers, kind, needs_document_named: named } of questions) {
      const answer = await index.ask(question, named ? { where: `uri = '${file}'` } : {});
      if (answer.abstained) refused++;
      const wanted = kind === 'filing-multi-span' ? 'every' : 'some';
      const isCited = (passages: readonly Pick<Citation, 'uri' | 'quote' | 'place' | 'verified'>[]): boolean =>
        answers[wanted]((each) =>
          passages.some(
            ({ uri, quote, place, verified }) =>
              uri === file && verified && place.page !== undefined && holds(quote, each),
          ),
        );
      const inAnswer = isCited(answer.citations);
      const cited = isCited([...answer.citations, ...(answer.related ?? [])]);
      const inPassages = answers[wanted]((each) =>
        answer.hits.some(({ chunk }) => chunk.uri === file && holds(chunk.text, each)),
      );
      values['gold answer in a cited span, right file and page'].push(cited ? 1 : 0);
      values['gold answer in a cited span of the answer itself'].push(inAnswer ? 1 : 0);
      values['gold answer in the hits'].push(inPassages ? 1 : 0);
      values['own questions refused'].push(answer.abstained ? 1 : 0);
      const row = byKind[kind] ?? { questions: 0, cited: 0, inPassages: 0 };
      byKind[kind] = row;
      row.questions++;
      if (cited) row.cited++;
      if (inPassages) row.inPassages++;
    }
    const sum = (key: 'cited' | 'inPassages'): number =>
      Object.values(byKind).reduce((total, row) => total + row[key], 0);
    const record = {
      questions: questions.length,
      cited: sum('cited') / questions.length,
      inAnswer: meanOf(values['gold answer in a cited span of the answer itself']).mean,
      inPassages: sum('inPassages') / questions.length,
      refused,
      byKind,
    };
    const ids = questions.map(({ file, question }) => `${file}: ${question}`);
    const figures = Object.fromEntries(
      Object.entries(values).map(([name, list]): [string, Figure] => [
        name,
        {
          ...meanOf(list),
          n: list.length,
          better: name === 'own questions refused' ? 'lower' : 'higher',
          ids,
          values: list,
        },
      ]),
    );
    return { record, modes: [{ mode: 'extractive', figures }] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
