import { extname } from 'node:path';
import { known } from '../../core/known.ts';
import type { Block } from '../../core/types.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { codeLanguages } from '../names.ts';
import { cleanLines } from '../normalise.ts';
import { trimLines } from '../text/text.ts';
import { declarations } from './outline.ts';

/**
 * Source code → its own text, cut into blocks at declarations. The first line of a declaration, or of the comment above
 * it, is a `heading` block; its label is the declared name, so that a chunk's heading path is `Parser › readToken`.
 */
export function parseCode(source: string, context: Pick<ParseContext, 'name'>): ParsedDocument {
  const { text, firstLine } = trimLines(cleanLines(source));
  const language = languageOf(context.name, text);
  const blocks = codeBlocks(text, language);
  const metadata: Record<string, string> = language === undefined ? {} : { language };
  return { title: '', text, format: 'code', blocks, locators: [], firstLine, metadata, warnings: [] };
}

function languageOf(name: string, text: string): string | undefined {
  const lower = name.toLowerCase();
  const language =
    known(codeLanguages, extname(lower).slice(1)) ??
    known(codeLanguages, lower.replace(/^gnu/, '').replace(/file$/, ''));
  if (language !== undefined) return language;
  if (/^(?:rake|gem|vagrant)file$/.test(lower)) return 'ruby';
  if (lower === 'dockerfile') return 'dockerfile';
  const shebang = /^#!.*?\b(python|node|ruby|perl|bash|sh|zsh)/.exec(text)?.[1];
  return shebang === undefined
    ? undefined
    : shebang === 'node'
      ? 'javascript'
      : /sh$/.test(shebang)
        ? 'shell'
        : shebang;
}

function codeBlocks(text: string, language: string | undefined): Block[] {
  const blocks: Block[] = [];
  const code = (start: number, end: number): void => {
    const span = trimBlank(text, start, end);
    if (span.end > span.start) blocks.push({ ...span, kind: 'code', ...(language === undefined ? {} : { language }) });
  };
  let at = 0;
  for (const { start, level, label } of declarations(text, language)) {
    if (start < at) continue;
    code(at, start);
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd === -1 ? text.length : lineEnd;
    const heading = trimBlank(text, start, end);
    if (heading.end > heading.start) blocks.push({ ...heading, kind: 'heading', level, label });
    at = end;
  }
  code(at, text.length);
  return blocks;
}

function trimBlank(text: string, start: number, end: number): { start: number; end: number } {
  let first = start;
  let last = end;
  while (first < last && text.charCodeAt(first) === 10) first++;
  while (last > first && /\s/.test(text[last - 1]!)) last--;
  return { start: first, end: last };
}
