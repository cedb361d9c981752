/** Archives as folders: each file under a heading with its path. Nothing is written, so a path leads nowhere. */
import { posix } from 'node:path';
import { crc32, gunzipSync } from 'node:zlib';
import { IbidError } from '../../core/errors.ts';
import { DocumentBuilder } from '../builder.ts';
import { parseSlackUsers } from '../chat/chats.ts';
import { discordChannel, discordOwner } from '../chat/discord-package.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { openZip } from '../zip.ts';
import { isTar, readTar, type TarEntry } from './tar.ts';

const MAX_ENTRIES = 10_000;
/** Names of unread entries in the warnings. */
const NAMED = 20;
/** Files of a data package of Discord that name its channels and its owner. */
const NAMING = /^(?:channel|index|user)\.json$/;
const MAX_NAMING_BYTES = 2 ** 24;
/** What programs and systems leave in archives, and hidden files, as in a folder. */
const LEFT_OUT = /(?:^|\/)(?:__MACOSX|node_modules|\.[^/]+)(?:\/|$)|(?:^|\/)(?:Thumbs\.db|desktop\.ini)$/i;
/** Of these, what nobody wrote. */
const OF_SYSTEMS =
  /(?:^|\/)(?:__MACOSX|\.git|\.hg|\.svn)(?:\/|$)|(?:^|\/)(?:\.DS_Store|\._[^/]+|Thumbs\.db|desktop\.ini)$/i;

/**
 * ZIP, tar, and tar in gzip. A gzip file that holds no archive is read as the file it holds.
 * @throws IbidError FILE_DAMAGED, FILE_EMPTY, FILE_TOO_LARGE; what one file refuses is a warning
 */
export async function parseArchive(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return await parseGzip(bytes, context);
  const builder = new DocumentBuilder('archive', context);
  const unread: string[] = [];
  const leftOut: string[] = [];
  let first: IbidError | undefined;
  let files = 0;
  let people: ReadonlyMap<string, string> | undefined;
  /** The last files of these names: they name what lies in and below their folder. */
  const names = new Map<string, string>();
  try {
    for (const { name, crc, read } of isTar(bytes) ? tarEntries(bytes) : zipEntries(bytes, context)) {
      if (LEFT_OUT.test(name)) {
        if (!OF_SYSTEMS.test(name)) leftOut.push(name);
        continue;
      }
      if (++files > MAX_ENTRIES) {
        throw new IbidError('FILE_TOO_LARGE', `the archive has more than ${MAX_ENTRIES} files`, {
          hint: 'Unpack it into the folder.',
        });
      }
      try {
        const folder = posix.basename(posix.dirname(name));
        const file = posix.basename(name);
        const data = read();
        if (crc !== undefined && crc32(data) !== crc)
          builder.warn('ENTRY_DAMAGED', `${name}: its bytes are not those that were packed`);
        if (file === 'users.json') people = parseSlackUsers(Buffer.from(data).toString('utf8'));
        if (NAMING.test(file) && data.length < MAX_NAMING_BYTES)
          names.set(file === 'channel.json' ? name : file, Buffer.from(data).toString('utf8'));
        const said = names.get(posix.join(posix.dirname(name), 'channel.json'));
        const channel = file === 'channel.json' ? undefined : discordChannel(said, names.get('index.json'));
        const owner = discordOwner(names.get('user.json'));
        const inner = await context.parseInner(file, data, { folder, people, channel, owner });
        const isNamed = channel !== undefined && inner.title === channel;
        builder.block({ kind: 'heading', level: 1 }, isNamed ? `${name}: ${channel}` : name, { part: name });
        builder.include(inner, { part: name, levels: 1 });
      } catch (error) {
        if (error instanceof IbidError && error.code === 'FILE_TOO_LARGE') throw error;
        const failure = error instanceof IbidError ? error : new IbidError('FILE_DAMAGED', String(error));
        if (failure.code === 'FILE_EMPTY') continue;
        first ??= failure;
        unread.push(`${name} [${failure.code}]`);
      }
    }
  } catch (error) {
    // A cut archive gives what comes before the cut.
    if (!(error instanceof IbidError) || error.code !== 'FILE_DAMAGED' || builder.length === 0) throw error;
    builder.warn('ARCHIVE_DAMAGED', error.message);
  }
  for (const what of unread.slice(0, NAMED)) builder.warn('ENTRY_UNREAD', what);
  if (leftOut.length > 0) {
    const named = leftOut.slice(0, NAMED).join(', ');
    const more = leftOut.length > NAMED ? ` and ${leftOut.length - NAMED} more` : '';
    builder.warn('ENTRIES_LEFT_OUT', `left out what is hidden or in node_modules: ${named}${more}`);
  }
  if (unread.length > NAMED) builder.warn('ENTRY_UNREAD', `and ${unread.length - NAMED} more files`);
  if (builder.length === 0) {
    if (first === undefined) throw new IbidError('FILE_EMPTY', 'the archive holds no text');
    const { code, hint } = first;
    throw new IbidError(code, `no file of the archive is read: ${unread[0]}`, hint === undefined ? {} : { hint });
  }
  builder.metadata.files = files;
  return builder.build();
}

async function parseGzip(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  let inner: Buffer;
  try {
    inner = gunzipSync(bytes, { maxOutputLength: context.maxUnpackedBytes });
  } catch (cause) {
    const isLarge = cause instanceof RangeError;
    throw new IbidError(isLarge ? 'FILE_TOO_LARGE' : 'FILE_DAMAGED', 'the gzip file does not unpack', { cause });
  }
  const name = context.name.replace(/\.tgz$/i, '.tar').replace(/\.gz$/i, '');
  return isTar(inner) ? await parseArchive(inner, { ...context, name }) : await context.parseInner(name, inner);
}

interface Entry {
  readonly name: string;
  /** CRC-32 of the bytes, where the archive has one. */
  readonly crc?: number;
  read(): Uint8Array;
}

function* tarEntries(bytes: Uint8Array): Generator<Entry> {
  for (const { name, data } of readTar(bytes) as Iterable<TarEntry>) yield { name: plainPath(name), read: () => data };
}

function* zipEntries(bytes: Uint8Array, context: ParseContext): Generator<Entry> {
  const zip = openZip(bytes, context);
  // Exports of chats name people and channels in lists, which their messages need.
  const rank = (name: string): string => (/(?:^|\/)(?:users?|index)\.json$/.test(name) ? '' : name);
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  for (const entry of [...zip.entries].sort((a, b) => order(rank(a.name), rank(b.name)))) {
    if (entry.name.endsWith('/') || entry.isLink) continue;
    yield { name: plainPath(entry.name), crc: entry.crc, read: () => zip.readEntry(entry) };
  }
}

/** A path without `.`, `..` and a root. */
function plainPath(name: string): string {
  return name
    .split(/[/\\]/)
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .join('/');
}
