/** Messages of Outlook. @see [MS-OXMSG], [MS-OXRTFCP] */
import { IbidError, messageOf } from '../../core/errors.ts';
import type { Place } from '../../core/types.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { decodeBytes } from '../encoding.ts';
import { hasNoText, mayHoldText } from '../image/inside.ts';
import { labelOfPage } from '../office/code-pages.ts';
import { type CompoundFile, openCompoundFile } from '../office/compound-file.ts';
import { unpackRtf } from './compressed-rtf.ts';

const SUBJECT = '0037';
const BODY = '1000';
const HTML = '1013';
const RTF = '1009';
const FROM_NAME = '0C1A';
const FROM_ADDRESS = '5D01';
const FROM_ADDRESS_OLD = '0C1F';
const TO = '0E04';
const CC = '0E03';
const MESSAGE_ID = '1035';
const FILE_NAME = '3707';
const CONTENT_ID = '3712';
const FILE_NAME_SHORT = '3704';
const DATA = '3701';
/** Times, in the order of choice: submitted, delivered. */
const TIMES = [0x0039, 0x0e06];
const FILETIME = 0x0040;
/** Code pages of narrow texts, and of the text as HTML. */
const TEXT_PAGE = 0x3ffd;
const HTML_PAGE = 0x3fde;
const INTEGER = 0x0003;
const PICTURE = /\.(?:png|jpe?g|gif|bmp|tiff?|webp)$/i;
const MAX_DEPTH = 5;
const MAX_ATTACHMENTS = 500;

/**
 * One message: sender, receivers, date and subject as lines; its text (HTML or RTF only without plain text); and every
 * readable attachment, as in a mail. @throws IbidError FILE_DAMAGED, FILE_EMPTY, FILE_TOO_LARGE
 */
export async function parseOutlook(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const file = openCompoundFile(bytes);
  const builder = new DocumentBuilder('msg', context);
  const message = new Message(file, '', 32);
  const { subject, from, to, cc, sentAt } = message;
  builder.title = subject;
  const metadata = { subject, from, to, cc, date: sentAt, sentAt, messageId: message.text(MESSAGE_ID) };
  for (const [name, value] of Object.entries(metadata)) if (value) builder.metadata[name] = value;
  await writeMessage(message, builder, context, {}, 1, 0);
  if (builder.length === 0) throw new IbidError('FILE_EMPTY', 'the message holds no text');
  return builder.build();
}

class Message {
  readonly #file: CompoundFile;
  readonly #folder: string;
  readonly #headerBytes: number;

  /** @param folder storage of the message, with a slash at its end; '' for the file itself */
  constructor(file: CompoundFile, folder: string, headerBytes: number) {
    this.#file = file;
    this.#folder = folder;
    this.#headerBytes = headerBytes;
  }

  /** The text of a property, whatever its width. */
  text(id: string, folder = ''): string {
    const wide = this.bytes(`${id}001F`, folder);
    if (wide) return Buffer.from(wide).toString('utf16le').replace(/\0+$/u, '').trim();
    const narrow = this.bytes(`${id}001E`, folder);
    return narrow ? decodeBytes(narrow, this.#charset(TEXT_PAGE)).text.replace(/\0+$/u, '').trim() : '';
  }

  bytes(property: string, folder = ''): Uint8Array | undefined {
    return this.#file.stream(`${this.#folder}${folder}__substg1.0_${property}`);
  }

  get subject(): string {
    return this.text(SUBJECT).replace(/\s+/g, ' ');
  }

  get from(): string {
    const name = this.text(FROM_NAME);
    const address = this.text(FROM_ADDRESS) || this.text(FROM_ADDRESS_OLD);
    if (!address.includes('@') || address === name) return name || address;
    return name === '' ? address : `${name} <${address}>`;
  }

  get to(): string {
    return this.text(TO);
  }

  get cc(): string {
    return this.text(CC);
  }

  /** ISO 8601. */
  get sentAt(): string {
    for (const id of TIMES) {
      const steps = this.#value(id, FILETIME)?.readBigUInt64LE();
      // 100-nanosecond steps since 1601
      const time = new Date(Number((steps ?? 0n) / 10_000n) - 11_644_473_600_000);
      if (steps !== undefined && !Number.isNaN(time.getTime())) return time.toISOString();
    }
    return '';
  }

  get htmlCharset(): string | undefined {
    return this.#charset(HTML_PAGE);
  }

  #charset(id: number): string | undefined {
    const page = this.#value(id, INTEGER)?.readUInt32LE();
    return page === undefined ? undefined : labelOfPage(page);
  }

  /** The 8 bytes of a property of fixed size. */
  #value(id: number, type: number): Buffer | undefined {
    const stored = this.#file.stream(`${this.#folder}__properties_version1.0`);
    if (!stored) return undefined;
    const properties = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
    for (let at = this.#headerBytes; at + 16 <= properties.length; at += 16) {
      if (properties.readUInt16LE(at) === type && properties.readUInt16LE(at + 2) === id)
        return properties.subarray(at + 8, at + 16);
    }
    return undefined;
  }

  /** Storages of the attachments, relative to this message. */
  get attachments(): string[] {
    const pattern = /^(__attach_version1\.0_#[0-9A-F]+\/)/i;
    const own = this.#file.names.filter((name) => name.startsWith(this.#folder));
    return [...new Set(own.flatMap((name) => pattern.exec(name.slice(this.#folder.length))?.[1] ?? []))].sort();
  }

  /** The message that is attached, if that is what the attachment is. */
  inner(attachment: string): Message | undefined {
    const folder = `${this.#folder}${attachment}__substg1.0_${DATA}000D/`;
    const isMessage = this.#file.names.includes(`${folder}__properties_version1.0`);
    return isMessage ? new Message(this.#file, folder, 24) : undefined;
  }
}

async function writeMessage(
  message: Message,
  builder: DocumentBuilder,
  context: ParseContext,
  place: Place,
  level: number,
  depth: number,
): Promise<void> {
  const { subject, from, to, cc, sentAt } = message;
  const head = { From: from, To: to, Cc: cc, Date: sentAt, Subject: subject };
  const lines = Object.entries(head).flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`]));
  builder.block({ kind: 'record' }, lines.join('\n'), place);
  await writeBody(message, builder, context, place);
  for (const attachment of message.attachments.slice(0, MAX_ATTACHMENTS)) {
    const inner = message.inner(attachment);
    const name = message.text(FILE_NAME, attachment) || message.text(FILE_NAME_SHORT, attachment) || inner?.subject;
    const label = (name || 'unnamed.bin').replace(/[/\\]/g, '_').replace(/\s+/g, ' ');
    const part = place.part === undefined ? label : `${place.part} › ${label}`;
    const heading = { kind: 'heading', level: Math.min(6, level), label } as const;
    if (inner && depth < MAX_DEPTH) {
      builder.block(heading, label, { part });
      await writeMessage(inner, builder, context, { part }, level + 1, depth + 1);
      continue;
    }
    const data = message.bytes(`${DATA}0102`, attachment);
    if (PICTURE.test(label) && !(data && mayHoldText(label, data, message.text(CONTENT_ID, attachment) !== ''))) {
      builder.block({ kind: 'paragraph' }, `Attachment: ${label} (${data?.length ?? 0} bytes)`, { part });
      continue;
    }
    try {
      if (!data || data.length === 0) throw new IbidError('FILE_EMPTY', 'it has no bytes');
      const document = await context.parseInner(label, data);
      builder.block(heading, `Attachment: ${label}`, { part });
      builder.include(document, { part, levels: level });
    } catch (error) {
      if (error instanceof IbidError && error.code === 'FILE_TOO_LARGE') throw error;
      builder.block({ kind: 'paragraph' }, `Attachment: ${label} (${data?.length ?? 0} bytes)`, { part });
      if (!hasNoText(error) || !PICTURE.test(label)) builder.warn('ATTACHMENT_UNREAD', `${label}: ${messageOf(error)}`);
    }
  }
}

async function writeBody(
  message: Message,
  builder: DocumentBuilder,
  context: ParseContext,
  place: Place,
): Promise<void> {
  const plain = message.text(BODY);
  for (const paragraph of plain.replace(/\r\n?/g, '\n').split(/\n[^\S\n]*\n\s*/)) {
    builder.block({ kind: /^\s*>/.test(paragraph) ? 'quote' : 'paragraph' }, paragraph, place);
  }
  if (plain !== '') return;
  const html = message.bytes(`${HTML}0102`) ?? Buffer.from(message.text(HTML));
  const rtf = html.length === 0 ? message.bytes(`${RTF}0102`) : undefined;
  try {
    if (html.length > 0)
      include(await context.parseInner('body.html', html, { isWhole: true, charset: message.htmlCharset }));
    else if (rtf) include(await context.parseInner('body.rtf', unpackRtf(rtf, context.maxUnpackedBytes)));
  } catch (error) {
    if (!(error instanceof IbidError) || error.code === 'FILE_TOO_LARGE') throw error;
    if (error.code !== 'FILE_EMPTY') builder.warn('MAIL_DAMAGED', `the text of the message: ${error.message}`);
  }
  function include(document: ParsedDocument): void {
    builder.include(document, place.part === undefined ? {} : { part: place.part });
  }
}
