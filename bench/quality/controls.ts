/** Checks that tell spoilt runs from honest ones: a bench without them measures nothing. */
import type { Qrels, Run } from '../../src/eval.ts';
import type { QualityCollection } from '../support/run-file.ts';
import type { Collection } from './collections.ts';

/**
 * A control may reach at most this share of what it is a control of: hits in random order keep only what chance
 * gives.
 */
const mostOfControl = 0.6;
/** A recall this near 1 on so many queries is not seen in nature without the answers having been looked at. */
const suspiciousQueries = 20;
const suspiciousScore = 0.995;

/** Sentences on controls that did as well as what they control, and on figures too good to be true. */
export function controlFaults({ name, variants, queryIds }: QualityCollection): string[] {
  const of = (variant: string): number | undefined =>
    variants.find((one) => one.name === variant)?.metrics['nDCG@10']?.mean;
  const faults: string[] = [];
  const hybrid = of('hybrid');
  const shuffled = of('shuffled');
  if (hybrid !== undefined && hybrid === 0) faults.push(`${name}: the hybrid finds nothing at all`);
  if (hybrid !== undefined && shuffled !== undefined && hybrid > 0 && shuffled > mostOfControl * hybrid) {
    faults.push(`${name}: its hits in random order score ${shuffled.toFixed(3)}, in order ${hybrid.toFixed(3)}`);
  }
  for (const { name: variant, metrics } of variants) {
    const value = metrics['nDCG@10']?.mean ?? 0;
    if (queryIds.length >= suspiciousQueries && value >= suspiciousScore) {
      faults.push(
        `${name}: ${variant} scores ${value.toFixed(3)} on ${queryIds.length} queries, as if it knew the judgements`,
      );
    }
  }
  return faults;
}

/**
 * Signs that judgements have leaked into what is searched, or into a run: an indexed text that holds a query verbatim
 * together with an id or that is nothing but it, corpus ids that spell the query's, a run whose places follow the
 * judgements one by one.
 * @param texts of the corpus, by id
 * @returns a sentence per sign, with the first example; none when all is well
 */
export function leakSigns(
  queries: readonly { readonly id: string; readonly text: string }[],
  qrels: Qrels,
  texts: ReadonlyMap<string, string>,
  run?: Run,
): string[] {
  const signs: string[] = [];
  const judged = queries.filter(({ id }) => [...(qrels.get(id)?.values() ?? [])].some((grade) => grade > 0));
  const relevantOf = (id: string): string[] =>
    [...(qrels.get(id) ?? [])].flatMap(([doc, grade]) => (grade > 0 ? [doc] : []));

  // A question that stands word for word in the very document that answers it was put there.
  const copied = judged.filter(({ id, text }) => {
    const wanted = plain(text);
    return wanted.split(' ').length >= 5 && relevantOf(id).some((doc) => plain(texts.get(doc) ?? '').includes(wanted));
  });
  if (judged.length > 0 && copied.length / judged.length > copiedShare) {
    signs.push(
      `${copied.length} of ${judged.length} queries stand word for word in a relevant document, first "${copied[0]!.id}"`,
    );
  }
  const marked = judged.filter(({ id }) => {
    const relevant = relevantOf(id);
    return id.length >= 4 && relevant.length > 0 && relevant.every((doc) => hasToken(texts.get(doc) ?? '', id));
  });
  if (judged.length > 0 && marked.length / judged.length > copiedShare) {
    signs.push(
      `${marked.length} of ${judged.length} query ids stand in their relevant documents, first "${marked[0]!.id}"`,
    );
  }
  if (run !== undefined) {
    const told = judged.filter(({ id }) => {
      const relevant = new Set(relevantOf(id));
      const first = (run.get(id) ?? []).slice(0, relevant.size);
      return first.length === relevant.size && first.every((doc) => relevant.has(doc));
    });
    if (judged.length >= suspiciousQueries && told.length / judged.length >= suspiciousScore) {
      signs.push(`the run names exactly the relevant documents first for ${told.length} of ${judged.length} queries`);
    }
  }
  return signs;
}

/** What is searched of each entry, by id: its text behind its document's title. */
export function textsOf({ documents, ids }: Pick<Collection, 'documents' | 'ids'>): Map<string, string> {
  const texts = documents.flatMap(({ title, chunks }) => chunks.map(({ text }) => `${title} ${text}`));
  return new Map(texts.map((text, row) => [ids[row]!, text]));
}

/** Honest collections hold a few: claims and headings that were taken from the text. */
const copiedShare = 0.1;

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

function hasToken(text: string, token: string): boolean {
  for (let at = text.indexOf(token); at !== -1; at = text.indexOf(token, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + token.length] ?? ' ';
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true;
  }
  return false;
}
