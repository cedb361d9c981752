import { known } from '../../core/known.ts';
import type { DocumentBuilder } from '../builder.ts';
import { type HtmlElement, textOf, walk } from './html-tree.ts';

const TITLE_CLASS = /(?:^|\s)(?:title|MsoTitle)(?:\s|$)/;

/** Reads the title, the language and the metadata of a page. */
export function readHead(root: HtmlElement, builder: DocumentBuilder): void {
  let title = '';
  let heading = '';
  let language: string | undefined;
  walk(root, {
    enter(node) {
      if (node.tag === 'html') language ??= node.attributes.lang;
      if (node.tag === 'title' && title === '') title = textOf(node);
      // Google Docs writes no `title`; what its writer set as the title is a paragraph.
      if (node.tag === 'p' && title === '' && heading === '' && TITLE_CLASS.test(node.attributes.class ?? ''))
        title = textOf(node);
      if (node.tag === 'h1' && heading === '') heading = headingText(textOf(node));
      if (node.tag === 'meta') readMeta(node, builder);
      return true;
    },
  });
  builder.title = title !== '' ? title : heading;
  if (language) builder.metadata.language = language;
}

const META: Readonly<Record<string, string>> = {
  description: 'description',
  author: 'author',
  keywords: 'keywords',
  date: 'date',
  'article:published_time': 'date',
  'article:modified_time': 'modified',
};

function readMeta(node: HtmlElement, builder: DocumentBuilder): void {
  const key = known(META, (node.attributes.name ?? node.attributes.property ?? '').toLowerCase());
  const value = node.attributes.content?.trim();
  if (key !== undefined && value) builder.metadata[key] ??= value;
}

/** A heading without the mark of its permalink; C# and the like are names. */
export function headingText(text: string): string {
  return text
    .replace(/(?:\s*[¶§🔗]|(?<!\b[CFJQ])\s*#)\s*$/u, '')
    .replace(/^[#¶◆◇]\s+/, '')
    .trim();
}
