import { formatCitation, mediaFragment, parseCitation } from '../answer/citation.ts';
import { headingsOver } from '../answer/sentences/structure/headings.ts';
import { unitsOf } from '../answer/sentences/structure/units.ts';
import { IbidError } from '../core/errors.ts';
import { locate } from '../core/location.ts';
import type { Span, StoredChunk } from '../core/types.ts';
import { chunksOfDocument } from '../passages/named-document.ts';
import type { Snapshot } from '../store/contract.ts';
import { visibleText } from '../text/hidden.ts';
import { oneLine } from '../text/one-line.ts';
import { citedSentences, objectionTo, proofHint } from './proof.ts';
import { type OverviewScript, type ScriptSource, type ScriptTurn, tidyScript } from './script.ts';
import { type NamedSource, readScript } from './script-text.ts';

/** Problems that are told one by one; of more, the number. */
const TOLD = 20;

/**
 * A script out of its text, each citation proven against the index as it is now.
 * @throws IbidError INVALID_ARGUMENT that names each line which cannot be said, and why
 */
export async function provenScript(text: string, snapshot: Snapshot): Promise<OverviewScript> {
  const { title, lines, sources: named } = readScript(text);
  const problems: { readonly line: number; readonly why: string }[] = [];
  const sources = new Map<number, ScriptSource>();
  const refused = new Set<number>();
  for (const source of named) {
    const found = sources.has(source.n) ? 'two sources have this number' : await provenSource(snapshot, source);
    if (typeof found === 'string') {
      problems.push({ line: source.line, why: `[${source.n}] ${found}` });
      refused.add(source.n);
    } else sources.set(source.n, found);
  }
  const turns = lines.map(({ voice, text: said, line }): ScriptTurn => {
    const sentences = citedSentences(visibleText(said));
    for (const sentence of sentences) {
      const why = objectionTo(sentence, sources);
      // a source that is not proven is told of once, at its own line
      if (why !== undefined && !sentence.citations.some((n) => refused.has(n)))
        problems.push({ line, why: `"${beginningOf(sentence.text)}": ${why}` });
    }
    return { voice, sentences };
  });
  if (problems.length > 0) throw unproven(problems);
  const script = tidyScript({ title: title || 'Overview', turns, sources: [...sources.values()] });
  if (script.turns.length === 0) {
    throw new IbidError('INVALID_ARGUMENT', 'the script says nothing', {
      hint: 'Lines that begin with "A:" or "B:" are what is said.',
    });
  }
  return script;
}

function unproven(problems: readonly { readonly line: number; readonly why: string }[]): IbidError {
  const told = problems
    .toSorted((a, b) => a.line - b.line)
    .slice(0, TOLD)
    .map(({ line, why }) => `line ${line}: ${why}`);
  if (problems.length > TOLD) told.push(`… and ${problems.length - TOLD} more`);
  return new IbidError('INVALID_ARGUMENT', `the script has what is not proven:\n${told.join('\n')}`, {
    hint: proofHint,
  });
}

const beginningOf = (text: string): string =>
  text.length > 60 ? `${text.slice(0, 60).trimEnd().toWellFormed()} …` : text;

/** The passage that a reference names, or why there is none. */
async function provenSource(snapshot: Snapshot, { n, reference, quote }: NamedSource): Promise<ScriptSource | string> {
  let named: ReturnType<typeof parseCitation>;
  try {
    named = parseCitation(reference);
  } catch (error) {
    return error instanceof IbidError ? error.message : String(error);
  }
  const { uri, span } = named;
  if (span === undefined || span.end === span.start || named.snapshot !== undefined)
    return `"${reference}" names no span of a document: uri#start-end`;
  let chunks: readonly StoredChunk[];
  try {
    chunks = await chunksOfDocument(snapshot, uri);
  } catch (error) {
    if (error instanceof IbidError && error.code === 'CITATION_NOT_FOUND') return error.message;
    throw error;
  }
  if (chunks.length === 0) return `the index has no document "${uri}"`;
  const touched = chunks.filter((chunk) => chunk.span.start < span.end && chunk.span.end > span.start);
  const whole = touched.length > 0 ? joined(touched) : undefined;
  if (!whole || whole.span.end < span.end) return `"${uri}" ends before ${span.end}`;
  const stands = whole.text.slice(span.start - whole.span.start, span.end - whole.span.start);
  if (quote !== undefined && quote !== oneLine(stands)) return `"${reference}" does not say "${beginningOf(quote)}"`;
  const [first] = touched;
  const place = locate(whole, span);
  const media = mediaFragment(uri, place);
  return {
    n,
    reference: formatCitation({ uri, span }),
    uri,
    title: first!.title,
    quote: stands,
    span,
    place,
    ...(media === undefined ? {} : { media }),
    headings: headingsAt(touched, span),
    verified: true,
    origin: 'local',
  };
}

/** The headings over the beginning of a span, those inside its chunk included. */
function headingsAt([first]: readonly StoredChunk[], { start }: Span): readonly string[] {
  const { text, format, headings, span } = first!; // the caller has at least one
  const units = unitsOf(text, format);
  const at = units.findIndex(({ end }) => end > start - span.start);
  return headingsOver(text, units, headings, format).paths[at] ?? headings;
}

function joined(chunks: readonly StoredChunk[]): StoredChunk {
  const [first] = chunks as readonly [StoredChunk, ...StoredChunk[]]; // the caller has at least one
  return {
    ...first,
    text: chunks.map(({ text }) => text).join(''),
    span: { start: first.span.start, end: chunks.at(-1)!.span.end },
    locators: chunks.flatMap(({ locators }) => locators),
  };
}
