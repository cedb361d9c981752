import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { readHead } from './html-head.ts';
import { reshape } from './html-made.ts';
import { boilerplate, invisible, mainElement, outside, wordsIn } from './html-main.ts';
import { takePageHead } from './html-page-head.ts';
import { measure, parseTree } from './html-tree.ts';
import { HtmlWriter } from './html-writer.ts';

/**
 * HTML → the content of the page: headings, paragraphs, lists (a line for each item), tables (a line for each row),
 * code. Navigation, footers, banners and hidden parts are left out; of a chapter of a book or a mail, hidden parts alone.
 * A list with almost only links is a `reference`.
 */
export function parseHtml(source: string, context: HtmlContext): ParsedDocument {
  return readHtml(source, context).document;
}

type HtmlContext = Pick<ParseContext, 'maxTextChars' | 'surroundings'>;

/** A page as a document, with the texts that the document leaves out and why. */
export function readHtml(
  source: string,
  context: HtmlContext,
): { readonly document: ParsedDocument; leftOut(): [reason: string, text: string][] } {
  const builder = new DocumentBuilder('html', context);
  const root = parseTree(source);
  reshape(root);
  measure(root);
  const isWhole = context.surroundings?.isWhole ?? false;
  const main = isWhole ? root : mainElement(root);
  if (!isWhole) takePageHead(main);
  const writer = new HtmlWriter(builder, main, isWhole ? invisible : boilerplate);
  writer.write();
  readHead(root, builder);
  const leftOut = (): [string, string][] => [
    ...writer.dropped.map(({ node, reason }): [string, string] => [reason, wordsIn(node)]),
    [`outside of <${main.tag}>`, outside(main).map(wordsIn).join(' ')],
  ];
  return { document: builder.build(), leftOut };
}
