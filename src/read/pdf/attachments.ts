/** Files that a PDF carries: those of its list, as in a portfolio or an invoice, and those that are pinned to a page. */
import type { getDocumentProxy } from 'unpdf';
import { IbidError, messageOf } from '../../core/errors.ts';
import type { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';

type Proxy = Awaited<ReturnType<typeof getDocumentProxy>>;

/** A file by the name and the key that pdf.js has for it. */
export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** @param file what pdf.js says of an attached file */
export function attachmentOf(id: unknown, file: unknown): Attachment | undefined {
  if (typeof id !== 'string' || file === null || typeof file !== 'object') return undefined;
  const field = (name: string): string => {
    const value: unknown = Reflect.get(file, name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const name = field('filename').split(/[\\/]/u).at(-1);
  return { id, name: name || 'unnamed', description: field('description') };
}

/** The files of the document's own list. */
export async function listedAttachments(proxy: Proxy): Promise<Attachment[]> {
  const listed: unknown = await proxy.getAttachments();
  return listed instanceof Map ? [...listed].flatMap(([id, file]) => attachmentOf(id, file) ?? []) : [];
}

export interface ReadAttachment extends Attachment {
  /** Absent for a file that is not read. */
  readonly document?: ParsedDocument;
}

/**
 * Reads each as a file of its own. What one of them refuses is a warning.
 * @param load gives its bytes
 */
export async function readAttachments(
  attachments: readonly Attachment[],
  load: (id: string) => Promise<Uint8Array>,
  builder: DocumentBuilder,
  context: ParseContext,
): Promise<ReadAttachment[]> {
  const read: ReadAttachment[] = [];
  for (const attachment of attachments) {
    try {
      const document = await context.parseInner(attachment.name, await load(attachment.id));
      read.push({ ...attachment, document });
    } catch (error) {
      if (error instanceof IbidError && error.code === 'FILE_TOO_LARGE') throw error;
      const isEmpty = error instanceof IbidError && error.code === 'FILE_EMPTY';
      if (!isEmpty) builder.warn('ATTACHMENT_UNREAD', `${attachment.name}: ${messageOf(error)}`);
      read.push(attachment);
    }
  }
  return read;
}

/** Writes each below a heading with its name, as the attachments of a mail. */
export function writeAttachments(attachments: readonly ReadAttachment[], builder: DocumentBuilder): void {
  for (const { name, description, document } of attachments) {
    const said = description === name ? '' : description;
    const label = `Attachment: ${name}`;
    const place = { part: name };
    if (document) {
      builder.block({ kind: 'heading', level: 1, label: name }, label, place);
      if (said !== '') builder.block({ kind: 'paragraph' }, said, place);
      builder.include(document, { part: name, levels: 1 });
    } else builder.block({ kind: 'paragraph' }, said === '' ? label : `${label} (${said})`, place);
  }
}
