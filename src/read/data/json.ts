import { IbidError } from '../../core/errors.ts';
import type { Place } from '../../core/types.ts';
import { oneLine } from '../../text/one-line.ts';
import { DocumentBuilder } from '../builder.ts';
import { parseChat } from '../chat/chats.ts';
import { chatDocument } from '../chat/document.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { shownValue } from '../markup/html-values.ts';
import { LineIndex } from '../text/lines.ts';
import { parseText } from '../text/text.ts';
import { JsonTable } from './json-table.ts';
import { type JsonProblem, walkJson } from './json-tokens.ts';

type Context = Pick<ParseContext, 'name' | 'maxTextChars'>;

/**
 * JSON → one line for each value, `path: value`, grouped into records: items of a top-level array, members of a
 * top-level object, or items of an array that is such a member. Locators carry the record's name (`part`) and source
 * lines. Rows that are arrays below names of columns are a table. An export of a chat is read as such. Damaged JSON is
 * kept up to the damage, with a warning.
 */
export function parseJson(source: string, context: Context & Pick<ParseContext, 'surroundings'>): ParsedDocument {
  const chat = parseChat(source, { name: context.name, ...context.surroundings });
  if (chat) return chatDocument(chat, context);
  const builder = new DocumentBuilder('json', context);
  const text = source.replace(/\r\n?/g, '\n');
  const index = new LineIndex(text);
  if (ARRAY_IN_ARRAY.test(text.slice(0, TABLE_BEGINS))) {
    const table = new JsonTable();
    if (!walkJson(text, table) && table.write(builder, index)) return builder.build();
  }
  const writer = new RecordWriter(builder, index, context);
  const problem = walkJson(text, writer);
  writer.finish();
  if (problem) {
    const line = new LineIndex(text).lineOf(problem.offset) + 1;
    // An early error and little output: the file is not JSON, but another text with this extension.
    if (problem.offset < text.length * 0.5 && builder.length < text.length * 0.2)
      return asText(text, context, problem, line);
    builder.warn('JSON_DAMAGED', `line ${line}: ${problem.message}; what follows is left out`);
    if (builder.length === 0) throw new IbidError('FILE_DAMAGED', `not JSON: line ${line}: ${problem.message}`);
  }
  builder.title = writer.title;
  return builder.build();
}

const ARRAY_IN_ARRAY = /\[\s*\[/;
/** So early in a file its first row begins. */
const TABLE_BEGINS = 4096;

function asText(text: string, context: Context, problem: JsonProblem, line: number): ParsedDocument {
  const document = parseText(text, context);
  const message = `not JSON (line ${line}: ${problem.message}); read as plain text`;
  return { ...document, title: '', warnings: [...document.warnings, { code: 'JSON_DAMAGED', message }] };
}

/** JSON lines → one record for each line; a line that is not JSON is kept as text, with a warning. */
export function parseJsonLines(source: string, context: Context): ParsedDocument {
  const builder = new DocumentBuilder('jsonl', context);
  const text = source.replace(/\r\n?/g, '\n');
  const lines = new LineIndex(text);
  for (let i = 0; i < lines.starts.length; i++) {
    const { start, end } = lines.span(i, i + 1);
    if (/^\s*$/.test(text.slice(start, Math.min(end, start + 100))) && text.slice(start, end).trim() === '') continue;
    const record = new LineRecord(context);
    const problem = walkJson(text, record, start, end);
    const place: Place = { lines: [i + 1, i + 1] };
    if (problem) {
      builder.warn('JSON_DAMAGED', `line ${i + 1}: ${problem.message}`);
      builder.block({ kind: 'record' }, text.slice(start, end), place);
    } else {
      builder.block({ kind: 'record' }, record.lines.join('\n'), place);
    }
  }
  return builder.build();
}

/** Tracks the path of the current value. Scalars in an array share its key; containers in it are numbered. */
class PathTracker {
  readonly path: { name: string; kind: 'array' | 'object'; index: number }[] = [];
  key_ = '';

  /** Name of the next value: its key, or its number in the array. */
  nextName(): string {
    const top = this.path[this.path.length - 1];
    if (!top) return '';
    return top.kind === 'object' ? this.key_ : String(++top.index);
  }

  /** Names from depth `from` on; very deep paths are cut with `…`. */
  join(from: number, last: string): string {
    const names: string[] = [];
    for (let i = Math.max(from, 0); i < this.path.length; i++) {
      if (i - from > 12) {
        names.push('…');
        break;
      }
      const name = this.path[i]!.name;
      if (name !== '' && !(i > 0 && this.path[i - 1]!.kind === 'array')) names.push(name);
    }
    const inArray = this.path[this.path.length - 1]?.kind === 'array';
    if (last !== '' && !inArray) names.push(last);
    return names.join('.');
  }
}

/** Names of values that are written for programs. */
const CODE = /code|snippet|template|source|markup|script|svg|xpath|selector|pattern|regex/i;

/** HTML is what it shows, but for code. */
function lineOf(path: string, value: string, name: string, context: Context): string {
  const shown = CODE.test(name) ? value : shownValue(value, context);
  return path === '' ? shown : `${path}: ${shown}`;
}

class LineRecord {
  readonly lines: string[] = [];
  readonly #tracker = new PathTracker();
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  scalar(value: string): void {
    const name = this.#tracker.nextName();
    const path = this.#tracker.join(1, name);
    if (value.trim() !== '') this.lines.push(lineOf(path, value, name, this.#context));
  }
  key(name: string): void {
    this.#tracker.key_ = name;
  }
  open(kind: 'array' | 'object'): void {
    const name = this.#tracker.nextName();
    this.#tracker.path.push({ name, kind, index: 0 });
  }
  close(): void {
    this.#tracker.path.pop();
  }
}

class RecordWriter {
  title = '';
  readonly #builder: DocumentBuilder;
  readonly #index: LineIndex;
  readonly #context: Context;
  readonly #tracker = new PathTracker();
  /** Depth of the current record: 1, or 2 for an item of an array that is itself a record. */
  #recordDepth = 0;
  #part = '';
  #lines: string[] = [];
  #from = 0;
  #to = 0;

  constructor(builder: DocumentBuilder, index: LineIndex, context: Context) {
    this.#context = context;
    this.#builder = builder;
    this.#index = index;
  }

  key(name: string): void {
    this.#tracker.key_ = name;
  }

  scalar(value: string, isString: boolean, start: number): void {
    const name = this.#tracker.nextName();
    if (
      this.#tracker.path.length === 1 &&
      isString &&
      this.title === '' &&
      /^(?:title|name|headline|subject)$/i.test(name)
    ) {
      if (value.length <= 200) this.title = oneLine(shownValue(value, this.#context));
    }
    const path = this.#tracker.join(this.#recordDepth === 0 ? 1 : this.#recordDepth + 1, name);
    if (value.trim() === '') return;
    this.#lines.push(lineOf(path, value, name, this.#context));
    if (this.#lines.length === 1) this.#from = start;
    this.#to = start;
  }

  comment(text: string, start: number): void {
    const said = oneLine(text.replace(/^[*/]+|\n\s*\*+/g, ' '));
    if (said === '') return;
    this.#lines.push(said);
    if (this.#lines.length === 1) this.#from = start;
    this.#to = start;
  }

  open(kind: 'array' | 'object', start: number): void {
    const { path } = this.#tracker;
    const name = this.#tracker.nextName();
    const depth = path.length;
    const outer = path[depth - 1];
    // A container directly below the root starts a record; so does an object in an array that is itself such a record.
    if (depth === 1 || (depth === 2 && outer?.kind === 'array' && kind === 'object' && this.#recordDepth > 0)) {
      // If only the name of the array is pending, the first item takes it as its first line.
      if (!(depth === 2 && this.#lines.length === 1 && this.#lines[0] === outer?.name)) this.#writeRecord();
      this.#recordDepth = depth;
      const shown = outer?.kind === 'array' ? `item ${name}` : name;
      this.#part = depth === 2 && outer !== undefined ? `${outer.name !== '' ? `${outer.name} ` : ''}${shown}` : shown;
      this.#from = start;
      if (depth === 1 && outer?.kind === 'object') this.#lines.push(name);
    }
    path.push({ name, kind, index: 0 });
  }

  close(_kind: 'array' | 'object', end: number): void {
    const { path } = this.#tracker;
    path.pop();
    if (path.length === this.#recordDepth && this.#recordDepth > 0) {
      this.#to = end;
      this.#writeRecord();
      this.#recordDepth--;
      this.#part = '';
    }
  }

  finish(): void {
    this.#writeRecord();
  }

  #writeRecord(): void {
    const lines = this.#lines;
    this.#lines = [];
    if (lines.length === 0) return;
    const first = this.#index.lineOf(this.#from) + 1;
    const last = Math.max(first, this.#index.lineOf(Math.max(this.#from, this.#to - 1)) + 1);
    const place: Place = { lines: [first, last], ...(this.#part === '' ? {} : { part: this.#part }) };
    this.#builder.block({ kind: 'record' }, lines.join('\n'), place);
  }
}
