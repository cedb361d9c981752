import { seededRandom } from '../../../src/eval/statistics.ts';
import type { LanguageModel, ModelEvent, ModelRequest } from '../../../src/index.ts';
import { languageOf } from '../../../src/text/languages/detect.ts';

/** What a sentence of the liar is. */
export type Lie =
  | 'true'
  /** No source at all. */
  | 'bare'
  /** A place that no source has. */
  | 'nowhere'
  | 'wrongFigure'
  | 'wrongName'
  /** A lie before a true sentence, both behind one mark. */
  | 'stowaway'
  /** A true mark, from which the sentence goes on with a lie. */
  | 'goesOn'
  /** A phrase of ours with a lie in it. */
  | 'phrase'
  /** With citations of its own: words that the passage does not say. */
  | 'altered';

const lies: readonly Lie[] = ['bare', 'nowhere', 'wrongFigure', 'wrongName', 'stowaway', 'goesOn', 'phrase'];

export interface Liar {
  readonly model: LanguageModel;
  /** True sentences with a true citation, as they were written. */
  readonly truths: string[];
  readonly counts: Map<Lie, number>;
}

const UNTRUE = 'The harbour was sold to a circus.';

/**
 * A model that writes a conversation of true sentences, word for word from its sources, and plants lies between them.
 * @param citesPassages with citations of its own, else with marks
 */
export function liar(seed: number, { citesPassages, share = 0.5 }: { citesPassages: boolean; share?: number }): Liar {
  const random = seededRandom(seed);
  const truths: string[] = [];
  const counts = new Map<Lie, number>();
  const model: LanguageModel = {
    ...{ id: 'liar', contextTokens: 200_000, maxOutputTokens: 20_000, citesPassages, estimateUsd: () => 0.01 },
    async *write(request) {
      yield* citesPassages ? native(request) : marked(request);
      const usage = { inputTokens: 10, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 };
      yield { type: 'stop', stop: 'end', usage, costUsd: 0.005 };
    },
  };

  const kindOf = (passage: string): Lie => {
    const all: readonly Lie[] = citesPassages ? [...lies, 'altered'] : lies;
    const drawn = random() < share ? all[Math.floor(random() * all.length)]! : 'true';
    // in German every noun has a capital, and names are not told apart
    const kind = drawn === 'wrongName' && languageOf(passage) === 'de' ? 'wrongFigure' : drawn;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return kind;
  };
  const isWhole = (text: string): boolean => /^[A-Z][^\n]{20,200}[.]$/.test(text) && !/[[\]*_`|<>]|\. /.test(text);

  function* marked(request: ModelRequest): Generator<ModelEvent> {
    const places = [...request.turns.at(-1)!.text.matchAll(/^\[(s\d+\.\d+)\] (.*)$/gm)];
    const text = places
      .filter(([, , passage]) => isWhole(passage!))
      .map(([, place, passage], i) => `${i % 2 === 0 ? 'A' : 'B'}: ${said(kindOf(passage!), passage!, `[${place}]`)}`)
      .join('\n');
    // in pieces of any size, as it streams
    for (let at = 0; at < text.length; ) {
      const size = 1 + Math.floor(random() * 40);
      yield { type: 'text', block: 0, text: text.slice(at, at + size) };
      at += size;
    }
  }

  function said(kind: Lie, passage: string, mark: string): string {
    if (kind === 'true') truths.push(passage);
    if (kind === 'stowaway') truths.push(passage);
    switch (kind) {
      case 'bare':
        return UNTRUE;
      case 'nowhere':
        return `${passage} [s99.7]`;
      case 'wrongFigure':
        return `${passage.slice(0, -1)} and 98765 more. ${mark}`;
      case 'wrongName':
        return `${passage.slice(0, -1)} with Zebedee. ${mark}`;
      case 'stowaway':
        return `${UNTRUE} ${passage} ${mark}`;
      case 'goesOn':
        return `${passage.slice(0, -1)} ${mark} and the harbour was sold to a circus.`;
      case 'phrase':
        return 'Tell me more about the circus in the harbour.';
      default:
        return `${passage} ${mark}`;
    }
  }

  function* native(request: ModelRequest): Generator<ModelEvent> {
    let block = 0;
    for (const { id, passages } of request.sources) {
      for (const [first, passage] of passages.entries()) {
        const text = passage.trim();
        if (!isWhole(text)) continue;
        const kind = kindOf(text);
        const mark = '\u0000';
        const own = block++;
        yield { type: 'text', block: own, text: own % 2 === 0 ? '\nA: ' : '\nB: ' };
        const line = kind === 'altered' ? `${text}${mark}` : said(kind, text, mark).replace(' [s99.7]', mark);
        const [before, after = ''] = line.split(mark);
        yield { type: 'text', block: own, text: before!.trimEnd() };
        if (line.includes(mark)) {
          const source = kind === 'nowhere' ? 's99' : id;
          const quoted = kind === 'altered' ? { quoted: `${text} Not so.` } : {};
          yield { type: 'citation', block: own, citation: { source, first, end: first + 1, ...quoted } };
        }
        yield { type: 'blockEnd', block: own };
        if (after !== '') {
          yield { type: 'text', block: block, text: after };
          yield { type: 'blockEnd', block: block++ };
        }
      }
    }
  }
  return { model, truths, counts };
}
