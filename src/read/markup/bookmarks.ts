import { Parser as Htmlparser } from 'htmlparser2';
import { oneLine } from '../../text/one-line.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';

interface Bookmark {
  title: string;
  readonly address: string;
  readonly tags: string;
  said: string;
}

interface Folder {
  name: string;
  readonly marks: Bookmark[];
  readonly folders: Folder[];
}

const LONGEST_ADDRESS = 2000;
const DEEPEST = 64;

/** Whether a page is the bookmarks of a browser, as all of them export. */
export function isBookmarks(source: string): boolean {
  return /^\s*<!DOCTYPE NETSCAPE-Bookmark-file-1>/i.test(source.slice(0, 500));
}

/** Each folder is a section with a line for each bookmark: its title, its address, its tags and what is noted of it. */
export function parseBookmarks(source: string, context: Pick<ParseContext, 'maxTextChars'>): ParsedDocument {
  const builder = new DocumentBuilder('html', context);
  const root: Folder = { name: '', marks: [], folders: [] };
  const open: Folder[] = [root];
  let named: Folder | undefined;
  let write: ((text: string) => void) | undefined;
  const parser = new Htmlparser(
    {
      onopentag(tag, { href = '', tags = '' }) {
        const folder = open.at(-1)!;
        if (tag === 'title') write = (text) => (builder.title += text);
        else if (tag === 'h1') write = (text) => (root.name += text);
        else if (tag === 'h3') {
          const begun: Folder = { name: '', marks: [], folders: [] };
          folder.folders.push(begun);
          named = begun;
          write = (text) => (begun.name += text);
        } else if (tag === 'a') {
          const mark: Bookmark = { title: '', address: href, tags, said: '' };
          folder.marks.push(mark);
          write = (text) => (mark.title += text);
        } else if (tag === 'dd') {
          const mark = folder.marks.at(-1);
          write = mark && ((text) => (mark.said += text));
        } else if (tag === 'dl') {
          open.push(open.length > DEEPEST ? folder : (named ?? folder));
          named = undefined;
          write = undefined;
        } else if (tag === 'dt') write = undefined;
      },
      ontext(text) {
        write?.(text);
      },
      onclosetag(tag, implied) {
        if (tag === 'dl' && !implied && open.length > 1) open.pop();
        if (/^(?:title|h1|h3|a|dd)$/.test(tag)) write = undefined;
      },
    },
    { decodeEntities: true },
  );
  parser.end(source);
  builder.title = oneLine(builder.title);
  writeFolder(builder, root, 1);
  return builder.build();
}

/** The bookmarks of a folder stand before the folders in it, so that each is below the name of its own. */
function writeFolder(builder: DocumentBuilder, folder: Folder, level: number): void {
  const name = oneLine(folder.name);
  if (name !== '') builder.block({ kind: 'heading', level: Math.min(6, level), label: name }, name);
  for (const [i, mark] of folder.marks.entries())
    builder.block({ kind: 'list' }, lineOf(mark), undefined, i === 0 ? '\n\n' : '\n');
  for (const inner of folder.folders) writeFolder(builder, inner, level + 1);
}

function lineOf({ title, address, tags, said }: Bookmark): string {
  const isPlace = /^(?:https?|ftp|file|mailto):/i.test(address) && address.length <= LONGEST_ADDRESS;
  const named = [oneLine(title), tags === '' ? '' : `(${oneLine(tags.replaceAll(',', ', '))})`].filter(
    (part) => part !== '',
  );
  const line = [named.join(' '), isPlace ? address : ''].filter((part) => part !== '').join(': ');
  return [line === '' ? '' : `- ${line}`, oneLine(said)].filter((part) => part !== '').join('\n  ');
}
