/** Removes inline Markdown marks, for titles and heading paths: `` [`foo`](x) **bar** `` → `foo bar`. */
import { oneLine } from '../../text/one-line.ts';

export function plainInline(source: string): string {
  if (source.length > 2000) return source.slice(0, 2000).trim();
  return oneLine(
    source
      .replace(/\s*\{#[\w:.-]+\}\s*$/, '')
      .replace(/!?\[\[(?:[^[\]|]*\|)?([^[\]|]*)\]\]/g, '$1')
      .replace(/!?\[([^[\]]*)\]\([^()\s]*(?:\s+"[^"]*")?\)/g, '$1')
      .replace(/!?\[([^[\]]*)\]\[[^[\]]*\]/g, '$1')
      .replace(/<\/?[a-zA-Z][^<>]*>/g, '')
      .replace(/(`+)\s?([^`]+?)\s?\1/g, '$2')
      .replace(/(\*\*|__)(?=\S)([^*_]+?)\1/g, '$2')
      .replace(/(?<![\w*])\*(?=\S)([^*]+?)\*(?![\w*])/g, '$1')
      .replace(/\\([!-/:-@[-`{-~])/g, '$1'),
  );
}

/** What a line says that is bold as a whole: `**Opening hours**` → `Opening hours`; else undefined. */
export function boldLine(line: string): string | undefined {
  return /^(\*\*|__)(?![\s*_])((?:(?!\1).)+)\1$/.exec(line)?.[2];
}
