/**
 * What does a question cost an assistant, in tokens? Each question on PDFs goes through MCP to `ask` and `search`; the
 * text of the result is counted, and whether it holds the gold answer. Beside them stands the text of the whole document
 * that holds the answer, as an assistant without an index would read it.
 *
 *   node bench/serve/tokens.ts [--json]
 *
 * Questions are `data/pdf-qa` and documents `docs/pdf` below IBID_SHARED (default `../shared`). Tokens are o200k_base.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { openIndex } from '../../src/index.ts';
import { countTokens, quantile } from '../../src/internal.ts';
import { serve } from '../../src/serve.ts';
import { holds } from '../quality/answer-figures.ts';
import { jsonLines } from '../quality/present.ts';
import { readFlags } from '../support/flags.ts';
import { ingestWhole } from '../support/ingest.ts';

interface Question {
  readonly file: string;
  readonly question: string;
  readonly answers: readonly string[];
  readonly needs_document_named: boolean;
  readonly answer_in_pdf_text: boolean;
}

interface Cost {
  readonly tokens: number;
  readonly holdsAnswer: boolean;
}

/** What each way gives for one question. */
type Row = Readonly<Record<'ask' | 'search' | 'document', Cost>>;

async function measure(questions: readonly Question[], documents: string, folder: string): Promise<Row[]> {
  await using index = await openIndex(join(folder, 'index'), { create: true, base: documents });
  await ingestWhole(index, [...new Set(questions.map(({ file }) => join(documents, file)))]);
  await using server = await serve({ indexes: index, port: 0 });
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)));
  const whole = new Map<string, string>();
  const rows: Row[] = [];
  for (const { file, question, answers, needs_document_named: named } of questions) {
    const where = named ? { where: { uri: file } } : {};
    const costOf = (text: string): Cost => ({
      tokens: countTokens(text),
      holdsAnswer: answers.some((answer) => holds(text, answer)),
    });
    const callTool = async (name: string, input: Record<string, unknown>): Promise<Cost> => {
      const { content } = await client.callTool({ name, arguments: input });
      return costOf((content as { text: string }[]).map(({ text }) => text).join('\n')); // our tools give texts
    };
    if (!whole.has(file)) whole.set(file, (await index.document(file))?.text ?? '');
    rows.push({
      ask: await callTool('ask', { question, ...where }),
      search: await callTool('search', { query: question, ...where }),
      document: costOf(whole.get(file)!),
    });
  }
  await client.close();
  return rows;
}

function summarise(rows: readonly Row[], way: keyof Row): Record<string, number> {
  const tokens = rows.map((row) => row[way].tokens);
  const held = rows.filter((row) => row[way].holdsAnswer);
  // per question with the answer in it: what this way costs, and how many times that the whole document is
  const times = held.map((row) => row.document.tokens / row[way].tokens);
  return {
    median: quantile(tokens, 0.5),
    p90: quantile(tokens, 0.9),
    holdsAnswer: held.length / rows.length,
    documentIsTimes: times.length > 0 ? quantile(times, 0.5) : Number.NaN,
  };
}

if (import.meta.main) {
  const { values: flags } = readFlags(import.meta.filename, { options: { json: { type: 'boolean', default: false } } });
  const shared = process.env.IBID_SHARED ?? join(import.meta.dirname, '../../../shared');
  const file = join(shared, 'data/pdf-qa/questions.jsonl');
  const documents = join(shared, 'docs');
  if (!existsSync(file) || !existsSync(join(documents, 'pdf')))
    console.log(`skipped: ${shared} has no pdf-qa or no docs`);
  else {
    const folder = mkdtempSync(join(tmpdir(), 'ibid-tokens-'));
    try {
      const questions = jsonLines<Question>(file).filter((question) => question.answer_in_pdf_text);
      const rows = await measure(questions, documents, folder);
      const result = Object.fromEntries(
        (['ask', 'search', 'document'] as const).map((way) => [way, summarise(rows, way)]),
      );
      if (flags.json) console.log(JSON.stringify({ questions: rows.length, ...result }, null, 2));
      else
        for (const [way, { median, p90, holdsAnswer, documentIsTimes }] of Object.entries(result))
          console.log(
            `${way.padEnd(8)} ${Math.round(median!)} tokens (p90 ${Math.round(p90!)}), holds the answer ${(100 * holdsAnswer!).toFixed(0)} %, the whole document is ${documentIsTimes!.toFixed(1)} times that`,
          );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
