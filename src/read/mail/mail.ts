import { IbidError, messageOf } from '../../core/errors.ts';
import type { Place } from '../../core/types.ts';
import { oneLine } from '../../text/one-line.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { decodeBytes } from '../encoding.ts';
import { hasNoText, mayHoldText } from '../image/inside.ts';
import { plainOfEnriched } from './enriched.ts';
import { chooseForm } from './forms.ts';
import { splitMailbox, unquoted } from './mailbox.ts';
import { type MimePart, parseMime } from './mime.ts';
import { momentOf } from './sent.ts';
import { signedContent } from './signed.ts';
import { unwrap } from './tnef.ts';
import { withoutFiles } from './uuencoded.ts';

/** What is said of a message, and the header that says so. */
const SHOWN = [
  ['From', 'from'],
  ['To', 'to'],
  ['Cc', 'cc'],
  ['Bcc', 'bcc'],
  ['Date', 'date'],
  ['Subject', 'subject'],
  ['Keywords', 'keywords'],
  ['Labels', 'x-gmail-labels'],
] as const;
const MAX_MESSAGE_DEPTH = 5;
/** Senders of a mailbox in its metadata. */
const MOST_SENDERS = 100;

/**
 * One message: sender, receivers, date and subject as lines; its text (HTML only without plain text); and every
 * readable attachment, under a heading and with its name as `part`. Other attachments are listed.
 */
export async function parseEml(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const builder = new DocumentBuilder('eml', context);
  const wrapped = unwrap(bytes, context.maxUnpackedBytes);
  if (wrapped && !wrapped.body && wrapped.files.length === 0)
    throw new IbidError('FILE_EMPTY', 'what Outlook wrapped holds neither a text nor a file');
  const message = wrapped
    ? { ...parseMime(Buffer.from('\n')), type: FILE, fileName: context.name, content: bytes }
    : parseMime(unquoted(Buffer.from(withoutEnvelope(narrowed(bytes))), /^>(From )/gm));
  const subject = message.headers.get('subject')?.trim() ?? '';
  builder.title = subject;
  if (subject) builder.metadata.subject = subject;
  for (const name of ['From', 'To', 'Cc', 'Date', 'Message-ID'] as const) {
    const value = message.headers.get(name.toLowerCase());
    if (value) builder.metadata[name === 'Message-ID' ? 'messageId' : name.toLowerCase()] = value;
  }
  const sent = sentAt(message);
  if (sent !== undefined) builder.metadata.sentAt = sent;
  await new MessageWriter(builder, context).write(message, {}, 1);
  return builder.build();
}

/**
 * A mailbox: one heading for each message; `part` is its number and subject. The metadata name all senders and the
 * times of the first and the last message. @see RFC 4155
 */
export async function parseMbox(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const builder = new DocumentBuilder('mbox', context);
  const messages = splitMailbox(narrowed(bytes));
  const writer = new MessageWriter(builder, context);
  const senders = new Set<string>();
  const times: string[] = [];
  let number = 0;
  for (const raw of messages) {
    number++;
    const message = parseMime(raw);
    const from = oneLine(message.headers.get('from') ?? '');
    if (from && senders.size < MOST_SENDERS) senders.add(from);
    const sent = sentAt(message);
    if (sent !== undefined) times.push(sent);
    const subject = oneLine(message.headers.get('subject') ?? '');
    const part = subject === '' ? `message ${number}` : `message ${number}: ${subject.slice(0, 120)}`;
    builder.block({ kind: 'heading', level: 1, label: subject || part }, subject || part, { part });
    try {
      await writer.write(message, { part }, 2);
    } catch (error) {
      if (!(error instanceof IbidError) || error.code === 'FILE_TOO_LARGE') throw error;
      builder.warn('MESSAGE_DAMAGED', `${part}: ${error.message}`);
    }
  }
  builder.metadata.messages = number;
  if (senders.size > 0) builder.metadata.from = [...senders].join(', ');
  times.sort();
  if (times.length > 0) Object.assign(builder.metadata, { firstSentAt: times[0]!, lastSentAt: times.at(-1)! });
  return builder.build();
}

/** Converts mail that was saved as UTF-16 to UTF-8, without a byte order mark: its structure is ASCII. */
function narrowed(bytes: Uint8Array): Uint8Array {
  const wide =
    (bytes[0] === 0xff && bytes[1] === 0xfe) ||
    (bytes[0] === 0xfe && bytes[1] === 0xff) ||
    bytes[0] === 0 ||
    bytes[1] === 0;
  if (wide) return Buffer.from(decodeBytes(bytes).text, 'utf8');
  const plain = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
  return plain.includes(10) ? plain : plain.map((byte) => (byte === 13 ? 10 : byte)); // old Macs end lines with CR
}

/** Apple Mail writes the length of a message on a line before it, and its own notes behind it. */
function withoutEnvelope(bytes: Uint8Array): Uint8Array {
  const head = Buffer.from(bytes.subarray(0, 120)).toString('latin1');
  const first = /^\s*(\d{1,10})[ \t]*\r?\n(?=[A-Za-z][\w-]*[ \t]*:|>?From )/.exec(head);
  return first ? bytes.subarray(first[0].length, first[0].length + Number(first[1])) : bytes;
}

function sentAt(message: MimePart): string | undefined {
  return momentOf(message.headers.get('date') ?? '')?.toISOString();
}

class MessageWriter {
  readonly #builder: DocumentBuilder;
  readonly #context: ParseContext;

  constructor(builder: DocumentBuilder, context: ParseContext) {
    this.#builder = builder;
    this.#context = context;
  }

  /** @param level level of the headings of attachments */
  async write(message: MimePart, place: Place, level: number, depth = 0): Promise<void> {
    const lines = SHOWN.flatMap(([name, header]) => {
      const value = oneLine(message.headers.get(header) ?? '');
      return value ? [`${name}: ${value}`] : [];
    });
    this.#builder.block({ kind: 'record' }, lines.join('\n'), place);
    const attachments: MimePart[] = [];
    for (const problem of problemsOf(message)) this.#builder.warn('MAIL_DAMAGED', problem);
    const before = this.#builder.length;
    for (const body of bodiesOf(message, attachments)) attachments.push(...(await this.#body(body, place)));
    const hasText = this.#builder.length > before;
    for (const attachment of attachments)
      for (const part of this.#unwrapped(attachment, hasText)) await this.#attachment(part, place, level, depth);
  }

  /** The attachments inside `winmail.dat`, and its text where the mail has none. */
  #unwrapped(part: MimePart, hasText: boolean, depth = 0): MimePart[] {
    const wrapped = depth < MAX_MESSAGE_DEPTH ? unwrap(part.content, this.#context.maxUnpackedBytes) : undefined;
    const files = [...(wrapped?.body && !hasText ? [wrapped.body] : []), ...(wrapped?.files ?? [])];
    if (files.length === 0) return wrapped?.body ? [] : [part];
    return files.flatMap(({ name, content }) =>
      this.#unwrapped({ ...part, type: FILE, fileName: name, content }, false, depth + 1),
    );
  }

  /** @returns the files that stand in the text */
  async #body(part: MimePart, place: Place): Promise<MimePart[]> {
    if (part.problem !== undefined) this.#builder.warn('MAIL_DAMAGED', `a part of the message: ${part.problem}`);
    if (part.content.length === 0) return [];
    const { text, warnings } = decodeBytes(part.content, part.type.parameters.charset);
    for (const { code, message } of warnings) this.#builder.warn(code, message);
    if (part.type.value === 'text/html') {
      try {
        const { parseHtml } = await import('../markup/html.ts');
        // A page that was saved as a mail is a page.
        const surroundings = { isWhole: !/\.mht(?:ml)?$/i.test(this.#context.name) };
        this.#builder.include(
          parseHtml(text, { ...this.#context, surroundings }),
          place.part === undefined ? {} : { part: place.part },
        );
      } catch (error) {
        if (!(error instanceof IbidError) || error.code === 'FILE_TOO_LARGE') throw error;
      }
      return [];
    }
    const said = withoutFiles(part.type.value === 'text/enriched' ? plainOfEnriched(text) : text);
    for (const paragraph of unfold(said.text, part.type.parameters).split(/\n[^\S\n]*\n\s*/)) {
      const quote = /^\s*>/.test(paragraph);
      this.#builder.block({ kind: quote ? 'quote' : 'paragraph' }, paragraph, place);
    }
    return said.files.map(({ name, content }) => ({ ...part, type: FILE, fileName: name, content }));
  }

  async #attachment(part: MimePart, place: Place, level: number, depth: number): Promise<void> {
    const builder = this.#builder;
    const name = nameOf(part);
    const label = `Attachment: ${name}`;
    const inside: Place = { part: place.part === undefined ? name : `${place.part} › ${name}` };
    if (isMessage(part) && depth < MAX_MESSAGE_DEPTH) {
      const inner = parseMime(part.content);
      const subject = inner.headers.get('subject')?.trim() || name;
      builder.block({ kind: 'heading', level: Math.min(6, level), label: subject }, subject, inside);
      await this.write(
        inner,
        { part: place.part === undefined ? subject : `${place.part} › ${subject}` },
        level + 1,
        depth + 1,
      );
      return;
    }
    let why = isEncrypted(part) ? 'it is encrypted' : undefined;
    if (why === undefined && part.content.length > 0 && isReadable(part, name)) {
      try {
        const document = await this.#context.parseInner(name, part.content, { charset: part.type.parameters.charset });
        builder.block({ kind: 'heading', level: Math.min(6, level), label: name }, label, inside);
        builder.include(document, { part: inside.part!, levels: level });
        return;
      } catch (error) {
        if (error instanceof IbidError && error.code === 'FILE_TOO_LARGE') throw error;
        if (!hasNoText(error) || !isPicture(part)) why = messageOf(error);
      }
    }
    builder.block({ kind: 'paragraph' }, `${label} (${part.type.value}, ${part.content.length} bytes)`, inside);
    if (why !== undefined) builder.warn('ATTACHMENT_UNREAD', `${name}: ${why}`);
  }
}

/** The type of a file of which only its name is known. */
const FILE = { value: 'application/octet-stream', parameters: {} };

function isEncrypted({ type, content }: MimePart): boolean {
  return (
    /^application\/(?:(?:x-)?pkcs7-mime|pgp-encrypted)$/.test(type.value) ||
    Buffer.from(content.subarray(0, 40)).toString('latin1').trimStart().startsWith('-----BEGIN PGP MESSAGE-----')
  );
}

/** The first of the pieces in which a long message was sent begins with its text. */
function isMessage({ type }: MimePart): boolean {
  return MESSAGE.test(type.value) || (type.value === 'message/partial' && type.parameters.number === '1');
}

/** `news` is one of a newsgroup, `global` has addresses in UTF-8. */
const MESSAGE = /^message\/(?:rfc822|global|news)$/;
const READABLE = /^(?:text\/|message\/(?!partial$)|application\/(?!pkcs7|pgp|x-pkcs7))/;

const isPicture = ({ type }: Pick<MimePart, 'type'>): boolean => type.value.startsWith('image/');

function isReadable({ type, headers, content }: MimePart, name: string): boolean {
  if (!isPicture({ type })) return READABLE.test(type.value);
  return mayHoldText(name, content, headers.get('content-id') !== undefined);
}

/** What is wrong with parts that have parts. */
function problemsOf({ problem, parts }: MimePart): string[] {
  if (parts.length === 0) return [];
  return [...(problem === undefined ? [] : [problem]), ...parts.flatMap(problemsOf)];
}

/** What draws a page that was saved as a mail. */
const DRAWS = /^(?:text\/css|(?:text|application)\/(?:x-)?(?:java|ecma)script|font\/.*)$/;

/**
 * The parts with the text of the message, in order; all other parts go to `attachments`, and so do files with a name
 * behind a text, which some programs call `inline`.
 */
function bodiesOf(part: MimePart, attachments: MimePart[], depth = 0, isFirst = true): MimePart[] {
  const { value } = part.type;
  if (value === 'multipart/alternative' && part.parts.length > 0) {
    const forms = part.parts.map((inner) => bodiesOf(inner, attachments, depth)).filter((list) => list.length > 0);
    return [...chooseForm(forms)];
  }
  if (part.parts.length > 0) {
    const bodies: MimePart[] = [];
    for (const inner of part.parts)
      bodies.push(...bodiesOf(inner, attachments, depth, isFirst && bodies.every(isBlank)));
    return bodies;
  }
  const signed = isSealed(part) && depth < MAX_MESSAGE_DEPTH ? signedContent(part.content) : undefined;
  if (signed) return bodiesOf(parseMime(signed), attachments, depth + 1);
  if (DRAWS.test(value) && part.fileName === undefined && part.disposition?.value !== 'attachment') return [];
  const attached =
    part.disposition?.value === 'attachment' ||
    (part.fileName !== undefined && !(part.disposition?.value === 'inline' && isFirst));
  if (!attached && (value === 'text/plain' || value === 'text/html' || value === 'text/enriched')) return [part];
  if (value.startsWith('multipart/')) return [];
  if (part.content.length > 0 || part.fileName !== undefined) attachments.push(part);
  return [];
}

function isBlank({ content }: MimePart): boolean {
  return content.every((byte) => byte <= 32);
}

/** Outlook and Notes sign a message by putting it into the signature; others call such a part a file. */
function isSealed({ type, fileName }: MimePart): boolean {
  return /^application\/(?:x-)?pkcs7-mime$/.test(type.value) || /\.p7m$/i.test(fileName ?? '');
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'text/plain': 'txt',
  'text/html': 'html',
  'text/csv': 'csv',
  'text/markdown': 'md',
  'text/calendar': 'ics',
  'application/pdf': 'pdf',
  'application/json': 'json',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'application/rtf': 'rtf',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/tiff': 'tif',
  'image/webp': 'webp',
  'message/rfc822': 'eml',
  'text/rfc822-headers': 'txt',
};

function nameOf(part: MimePart): string {
  const name = oneLine((part.fileName ?? '').replace(/[/\\]/g, '_'));
  const report = part.type.value.startsWith('message/') ? 'txt' : 'bin';
  return name || `unnamed.${EXTENSIONS[part.type.value] ?? report}`;
}

/**
 * Joins the soft line breaks of `format=flowed`, those of quotes too; with `delsp=yes` their blanks are no part of the
 * text. A blank before a line protects it. @see RFC 3676
 */
function unfold(text: string, { format, delsp }: Readonly<Record<string, string>>): string {
  const plain = text.replace(/\r\n?/g, '\n');
  if (format?.toLowerCase() !== 'flowed') return plain;
  const joined: { readonly marks: string; text: string }[] = [];
  let isOpen = false;
  for (const line of plain.split('\n')) {
    const marks = /^(?:> ?)*/.exec(line)![0].replaceAll(' ', '');
    const said = line.replace(/^(?:>(?: ?>)*)?/, '').replace(/^ /, '');
    const last = joined.at(-1);
    const isSignature = said === '-- ';
    if (isOpen && last?.marks === marks && said !== '' && !isSignature)
      last.text = (delsp?.toLowerCase() === 'yes' ? last.text.slice(0, -1) : last.text) + said;
    else joined.push({ marks, text: said });
    isOpen = said.endsWith(' ') && !isSignature;
  }
  return joined.map((one) => (one.marks === '' ? one.text : `${one.marks} ${one.text}`)).join('\n');
}
