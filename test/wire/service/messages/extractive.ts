import { seededRandom } from '../random.ts';
import { type CitationFault, type Cited, type Planted, spoil } from './citation-faults.ts';
import type { AnswerCitation, Draft, DraftBlock, StandIn } from './model.ts';
import type { ModelRequest, Source } from './request.ts';

export interface ExtractiveOptions {
  /** Sentences of an answer. @default 3 */
  readonly sentences?: number;
  /** What becomes of the first, second … citation; 'true' or the end of the list leaves it right. */
  readonly plant?: readonly (CitationFault | 'true')[];
  /** Instead of a list: each citation is spoiled with this probability, the kind drawn from `kinds`. */
  readonly plantRandomly?: {
    readonly probability: number;
    readonly seed: number;
    readonly kinds: readonly CitationFault[];
  };
  /** Whether `char_location` counts code points or UTF-16 units; the reference does not say. @default 'codePoints' */
  readonly characters?: 'codePoints' | 'utf16';
  /** Answer when no sentence shares a word with the question. */
  readonly notFound?: string;
}

export interface ExtractiveAnswerer {
  readonly model: StandIn;
  /** Every citation given, right and wrong, in order. */
  readonly planted: Planted[];
}

/** A piece that can be cited: a sentence of a text, a sentence of a page, a given block. */
interface Unit extends Cited {
  readonly words: readonly string[];
}

/**
 * Answers with sentences of the documents and search results it was given, best first by shared words weighted by
 * rarity, each a text block of its own with its citation, joined by plain text blocks. Only what it was sent can come
 * back.
 */
export function extractiveAnswerer(options: ExtractiveOptions = {}): ExtractiveAnswerer {
  const planted: Planted[] = [];
  const draw = options.plantRandomly === undefined ? undefined : seededRandom(options.plantRandomly.seed);
  const next = (): CitationFault | 'true' => {
    const randomly = options.plantRandomly;
    if (randomly === undefined || draw === undefined) return options.plant?.[planted.length] ?? 'true';
    return draw() < randomly.probability ? randomly.kinds[Math.floor(draw() * randomly.kinds.length)]! : 'true';
  };
  const model = (request: ModelRequest): Draft => {
    const units = request.sources.flatMap((source) => unitsOf(source, options.characters ?? 'codePoints'));
    const best = rank(units, wordsOf(request.question)).slice(0, options.sentences ?? 3);
    if (best.length === 0)
      return { content: [{ type: 'text', text: options.notFound ?? 'The sources do not answer this.' }] };
    const content: DraftBlock[] = [];
    for (const [i, unit] of best.entries()) {
      if (i > 0) content.push({ type: 'text', text: i === 1 ? ' Also: ' : ' ' });
      const claim = claimOf(unit, wordsOf(request.question));
      if (!request.citations) {
        content.push({ type: 'text', text: claim });
        continue;
      }
      const kind = next();
      const given = kind === 'true' ? { citations: [unit.cite()], verdict: 'true' as const } : spoil(kind, unit, units);
      planted.push({
        kind: given === undefined ? 'true' : kind,
        verdict: given?.verdict ?? 'true',
        citations: given?.citations ?? [unit.cite()],
        claim,
      });
      content.push({ type: 'text', text: claim, citations: given?.citations ?? [unit.cite()] });
    }
    return { content };
  };
  return { model, planted };
}

const stopWords = new Set(
  'a an and are as at be by did do does for from has have how i in into is it its of on or that the their them there these they this to was were what when where which who whom why will with you your'.split(
    ' ',
  ),
);

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => !stopWords.has(word))
    .map((word) => (word.length > 4 ? word.replace(/(ies|es|s|ed|ing|ly)$/u, '') : word));
}

function sentences(text: string): { start: number; end: number }[] {
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
  return [...segmenter.segment(text)]
    .filter((part) => /\S/u.test(part.segment))
    .map((part) => ({ start: part.index, end: part.index + part.segment.length }));
}

function unitsOf(source: Source, characters: 'codePoints' | 'utf16'): Unit[] {
  if (source.kind === 'text') {
    const count = (end: number): number => (characters === 'utf16' ? end : [...source.text.slice(0, end)].length);
    return sentences(source.text).map((at) => {
      const piece = source.text.slice(at.start, at.end);
      return {
        source,
        text: piece,
        words: wordsOf(piece),
        // The range takes the space after the sentence in, its text does not: so in the public example.
        cite: (shift = 0, text = piece.trim()) => ({
          type: 'char_location',
          cited_text: text,
          document_index: source.index,
          document_title: source.title,
          start_char_index: count(at.start) + shift,
          end_char_index: count(at.end) + shift,
          file_id: source.fileId,
        }),
      };
    });
  }
  if (source.kind === 'pages') {
    return source.pages.flatMap((page, p) =>
      sentences(page).map((at) => {
        const piece = page.slice(at.start, at.end);
        return {
          source,
          text: piece,
          words: wordsOf(piece),
          cite: (shift = 0, text = piece.trim()) => ({
            type: 'page_location',
            cited_text: text,
            document_index: source.index,
            document_title: source.title,
            start_page_number: p + 1 + shift,
            end_page_number: p + 2 + shift,
            file_id: source.fileId,
          }),
        };
      }),
    );
  }
  return source.blocks.flatMap((block, b) => (/\S/u.test(block) ? [blockUnit(source, block, b)] : []));
}

function blockUnit(source: Extract<Source, { kind: 'blocks' | 'search' }>, block: string, b: number): Unit {
  const range = (shift: number): { start_block_index: number; end_block_index: number } => ({
    start_block_index: b + shift,
    end_block_index: b + 1 + shift,
  });
  return {
    source,
    text: block,
    words: wordsOf(block),
    cite: (shift = 0, text = block): AnswerCitation =>
      source.kind === 'search'
        ? {
            type: 'search_result_location',
            cited_text: text,
            search_result_index: source.index,
            source: source.source,
            title: source.title,
            ...range(shift),
          }
        : {
            type: 'content_block_location',
            cited_text: text,
            document_index: source.index,
            document_title: source.title,
            ...range(shift),
            file_id: source.fileId,
          },
  };
}

/** Units that share a word with the question, best first; ties in the order given. */
function rank(units: readonly Unit[], question: readonly string[]): Unit[] {
  const seenIn = new Map<string, number>();
  for (const unit of units) for (const word of new Set(unit.words)) seenIn.set(word, (seenIn.get(word) ?? 0) + 1);
  const weight = (word: string): number => Math.log(1 + units.length / (seenIn.get(word) ?? units.length));
  const score = (words: readonly string[]): number => {
    const has = new Set(words);
    let total = 0;
    for (const word of new Set(question)) if (has.has(word)) total += weight(word);
    return total / (1 + Math.log(1 + words.length));
  };
  return units
    .map((unit) => ({ unit, score: score(unit.words) }))
    .filter((entry) => entry.score > 0)
    .sort((a, b) => b.score - a.score)
    .map((entry) => entry.unit);
}

/** What the answer says: the unit's sentence that shares most with the question. */
function claimOf(unit: Unit, question: readonly string[]): string {
  const asked = new Set(question);
  const shared = (text: string): number => wordsOf(text).filter((word) => asked.has(word)).length;
  let best = '';
  for (const at of sentences(unit.text)) {
    const piece = unit.text.slice(at.start, at.end).trim();
    if (best === '' || shared(piece) > shared(best)) best = piece;
  }
  return best;
}
