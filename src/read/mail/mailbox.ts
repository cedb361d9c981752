/** A mailbox as messages. @see RFC 4155 */

/** Sender and time. Thunderbird writes neither. */
const SEPARATOR = /^From(?: \S.*\b\d\d:\d\d.*\b\d{4}\b|(?: -)?$)/;
/** What a system puts before a message that it got: no line of a text. */
const DELIVERED =
  /^From \S+@\S+ +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) +[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d(?::\d\d)?(?: \S+){1,2}\n(?:Received|Return-Path|Delivered-To): *\S/i;
/** Fields that messages begin with; a sentence may have a word and a colon too. */
const FIELD =
  /^(?:from|to|cc|bcc|date|subject|sender|reply-to|message-id|in-reply-to|references|received|return-path|delivered-to|envelope-to|mime-version|content-[a-z-]+|list-[a-z-]+|dkim-signature|authentication-results|status|lines|newsgroups|path|organization|comments|keywords|x-[\w-]+)\s*:/i;
const HEADER = /^(?:[\w!#$%&'*+.^`|~-]+\s*:|[ \t]+\S|>?From )/;
/** Headers in which a known field is looked for. */
const HEAD_BYTES = 8192;

/** The messages of a mailbox, without the lines between them. */
export function splitMailbox(bytes: Uint8Array): Buffer[] {
  const box = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts = startsOf(box);
  if (box.toString('latin1', 0, starts[0] ?? box.length).trim() !== '') starts.unshift(0);
  return starts.map((start, i) => {
    const end = starts[i + 1] ?? box.length;
    const body = isFrom(box, start) ? lineAfter(box, start) : start;
    return unquoted(box.subarray(Math.min(body, end), end), /^>(>*From )/gm);
  });
}

/** Without one of the marks that keep lines from beginning as the line between two messages. */
export function unquoted(bytes: Buffer, marked: RegExp): Buffer {
  if (!bytes.includes('>From ')) return bytes;
  return Buffer.from(bytes.toString('latin1').replace(marked, '$1'), 'latin1');
}

/**
 * Where messages begin. A length that ends where another message begins is believed, whatever lines are before that.
 * Most writers end a message with an empty line: then a line that follows text is text.
 */
function startsOf(box: Buffer): number[] {
  const found: { readonly start: number; readonly isApart: boolean }[] = [];
  for (let at = 0; at !== -1; ) {
    const separates = SEPARATOR.test(lineAt(box, at)) && beginsMessage(box, lineAfter(box, at));
    let from = at;
    if (separates || (at === 0 && isFrom(box, at))) {
      found.push({ start: at, isApart: isBlankBefore(box, at) || isDelivered(box, at) });
      from = endByLength(box, lineAfter(box, at)) ?? at;
    }
    // the line feed before the next line may be the last byte of this message
    const next = box.indexOf('\nFrom ', Math.max(from - 1, at));
    at = next === -1 ? -1 : next + 1;
  }
  const apart = found.filter(({ isApart }) => isApart).length;
  return found.flatMap(({ start, isApart }) => (isApart || apart * 2 <= found.length ? [start] : []));
}

function isFrom(box: Buffer, at: number): boolean {
  return box.toString('latin1', at, at + 5) === 'From ';
}

function lineAfter(box: Buffer, at: number): number {
  const end = box.indexOf(10, at);
  return end === -1 ? box.length : end + 1;
}

function lineAt(box: Buffer, at: number): string {
  return box.toString('latin1', at, Math.min(lineAfter(box, at), at + 200)).trimEnd();
}

function isDelivered(box: Buffer, at: number): boolean {
  return DELIVERED.test(`${lineAt(box, at)}\n${lineAt(box, lineAfter(box, at))}`);
}

/** True behind an empty line, and at the beginning. */
function isBlankBefore(box: Buffer, at: number): boolean {
  return at === 0 || /(?:^|\n)\r?\n$/.test(box.toString('latin1', Math.max(0, at - 3), at));
}

/** Whether headers stand here, one of which is of a message. */
function beginsMessage(box: Buffer, from: number): boolean {
  for (let at = from; at < box.length && at - from < HEAD_BYTES; at = lineAfter(box, at)) {
    const line = lineAt(box, at);
    if (FIELD.test(line)) return true;
    if (!HEADER.test(line)) return false;
  }
  return false;
}

/** Where a message ends by the length that it says, if another message or the end is there. */
function endByLength(box: Buffer, from: number): number | undefined {
  let length: number | undefined;
  let at = from;
  for (let line = lineAt(box, at); line !== '' && at < box.length && at - from < HEAD_BYTES; line = lineAt(box, at)) {
    length ??= Number(/^Content-Length:\s*(\d{1,12})$/i.exec(line)?.[1] ?? Number.NaN) || undefined;
    at = lineAfter(box, at);
  }
  if (length === undefined) return undefined;
  let end = lineAfter(box, at) + length;
  while (box[end] === 13 || box[end] === 10) end++;
  return end === box.length || (end < box.length && box[end - 1] === 10 && isFrom(box, end)) ? end : undefined;
}
