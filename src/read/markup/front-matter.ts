import { createRequire } from 'node:module';
import { messageOf } from '../../core/errors.ts';
import { isRecord } from '../../core/records.ts';
import type { Metadata, MetadataValue, ReadWarning } from '../../core/types.ts';
import { oneLine } from '../../text/one-line.ts';

interface FrontMatter {
  /** Offset of the first character after the front matter; 0 when there is none. */
  readonly end: number;
  /** The text between the fences, trimmed. */
  readonly source: string;
  readonly title: string | undefined;
  readonly metadata: Metadata;
  readonly warnings: readonly ReadWarning[];
}

/** Front matter of a page is shorter, and YAML parsers have slow cases. */
const MAX_YAML_CHARS = 32 * 1024;

const none: FrontMatter = { end: 0, source: '', title: undefined, metadata: {}, warnings: [] };

/**
 * Front matter at the start of LF text: YAML between `---` fences, or TOML between `+++`. What is neither gives a warning
 * and no metadata. Nested values become `a.b`; lists of scalars are joined with commas.
 */
export function readFrontMatter(text: string): FrontMatter {
  const open = /^(---|\+\+\+)[ \t]*\n/.exec(text);
  if (!open) return none;
  const fence = open[1]!;
  const close = fence === '---' ? /^(?:---|\.\.\.)[ \t]*(?:\n|$)/gm : /^\+\+\+[ \t]*(?:\n|$)/gm;
  close.lastIndex = open[0].length;
  const match = close.exec(text);
  if (!match) return none;
  const source = text.slice(open[0].length, match.index);
  // Not a thematic break, prose, another break: the first line of front matter, after blanks and comments, has a key.
  if (
    source.trim() !== '' &&
    !/^\s*(?:#.*\n\s*)*["']?[\w$@ .-]{1,100}["']?\s{0,20}[:=]/.test(source.trimStart().slice(0, 2000))
  )
    return none;
  const end = match.index + match[0].length;
  if (source.length > MAX_YAML_CHARS) {
    const message = `front matter of ${source.length} characters is not read`;
    return { ...none, end, source: source.trim(), warnings: [{ code: 'FRONT_MATTER_INVALID', message }] };
  }
  const isToml = fence === '+++';
  const simple = isToml ? undefined : readSimple(source);
  if (simple) return { end, source: source.trim(), ...titled(simple), warnings: [] };
  try {
    const value: unknown = isToml
      ? loaded<typeof import('smol-toml')>('smol-toml').parse(source)
      : loaded<typeof import('yaml')>('yaml').parse(source, {
          maxAliasCount: 100,
          logLevel: 'error',
          uniqueKeys: false,
        });
    return { end, source: source.trim(), ...titled(flatten(value)), warnings: [] };
  } catch (error) {
    const message = `front matter is not valid ${isToml ? 'TOML' : 'YAML'}: ${firstLine(error)}`;
    const title = /^title[ \t]*[:=][ \t]*["']?([^\n]*?)["']?[ \t]*$/m.exec(source)?.[1];
    return {
      end,
      source: source.trim(),
      title: title || undefined,
      metadata: {},
      warnings: [{ code: 'FRONT_MATTER_INVALID', message }],
    };
  }
}

function firstLine(error: unknown): string {
  return messageOf(error).split('\n', 1)[0]!;
}

function titled(metadata: Record<string, MetadataValue>): Pick<FrontMatter, 'title' | 'metadata'> {
  const { title } = metadata;
  return {
    title: title === undefined || title === null || title === '' ? undefined : oneLine(String(title)),
    metadata,
  };
}

/** Reads lines of `key: plain words` without the YAML parser: most front matter has no others. */
function readSimple(source: string): Record<string, MetadataValue> | undefined {
  const out: Record<string, MetadataValue> = {};
  for (const line of source.split('\n')) {
    if (line.trim() === '') continue;
    const match = /^([A-Za-z][\w-]*):[ \t]+([A-Za-z/][^:#&*!|>'"%@`{}[\]]*)$/.exec(line);
    if (!match) return undefined;
    const [, key, raw] = match as unknown as [string, string, string];
    const value = raw.trim();
    if (Object.hasOwn(out, key) || key === '__proto__') return undefined;
    out[key] = /^true$/i.test(value) ? true : /^false$/i.test(value) ? false : /^null$/i.test(value) ? null : value;
  }
  return out;
}

function flatten(value: unknown): Record<string, MetadataValue> {
  const out: Record<string, MetadataValue> = Object.create(null);
  const visit = (item: unknown, path: string, depth: number): void => {
    if (Object.keys(out).length >= 200) return;
    if (item === null || typeof item === 'string' || typeof item === 'boolean') out[path] = item;
    else if (typeof item === 'number') out[path] = Number.isFinite(item) ? item : String(item);
    else if (typeof item === 'bigint') out[path] = String(item);
    else if (item instanceof Date) out[path] = item.toISOString();
    else if (Array.isArray(item)) {
      if (item.every((entry) => typeof entry !== 'object' || entry === null)) out[path] = item.join(', ');
    } else if (typeof item === 'object' && depth < 4) {
      for (const [key, child] of Object.entries(item)) visit(child, path === '' ? key : `${path}.${key}`, depth + 1);
    }
  };
  if (isRecord(value)) visit(value, '', 0);
  return Object.fromEntries(Object.entries(out).filter(([key]) => key !== '__proto__'));
}

/** Loaded for the first front matter that needs it. */
function loaded<Module>(name: string): Module {
  return createRequire(import.meta.url)(name) as Module; // `require` returns `any`
}
