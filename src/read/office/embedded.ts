/** Whole files inside an Office file, of which it shows a picture: a sheet on a slide, a document in a document. */
import { IbidError, messageOf } from '../../core/errors.ts';
import type { DocumentBuilder } from '../builder.ts';
import type { ParseContext } from '../contract.ts';
import type { InnerPicture } from '../image/inside.ts';
import type { ZipArchive } from '../zip.ts';
import { openCompoundFile } from './compound-file.ts';
import type { Relationship } from './ooxml.ts';

/** @param place where it stands, such as a slide; '' for none */
export async function includeEmbedded(
  zip: ZipArchive,
  related: Iterable<Relationship>,
  builder: DocumentBuilder,
  context: ParseContext,
  place = '',
): Promise<void> {
  const parts = new Set<string>();
  for (const { type, target } of related) if (type === 'package' || type === 'oleObject') parts.add(target);
  for (const part of parts) {
    const bytes = zip.read(part);
    if (!bytes || isDrawn(bytes)) continue;
    const name = part.split('/').at(-1)!;
    try {
      const inner = await context.parseInner(name, bytes);
      builder.include(inner, { part: place === '' ? name : `${place} › ${name}`, levels: 1 });
    } catch (error) {
      if (!(error instanceof IbidError) || error.code === 'FILE_TOO_LARGE') throw error;
      if (error.code !== 'FILE_EMPTY') builder.warn('PART_UNREAD', `${part}: ${messageOf(error)}`);
    }
  }
}

/** The pictures of a part, in the order of their relations. */
export function* picturesIn(zip: Pick<ZipArchive, 'read'>, related: Iterable<Relationship>): Generator<InnerPicture> {
  for (const target of new Set([...related].flatMap(({ type, target }) => (type === 'image' ? [target] : [])))) {
    const bytes = zip.read(target);
    if (bytes) yield { name: target.split('/').at(-1)!, bytes };
  }
}

/** Objects of programs that only draw: formulas of Word before 2007, and controls. */
const DRAWN = /^(?:Equation Native|\u0003OCXNAME)$/;

function isDrawn(bytes: Uint8Array): boolean {
  if (bytes[0] !== 0xd0 || bytes[1] !== 0xcf) return false;
  try {
    return openCompoundFile(bytes).names.some((name) => DRAWN.test(name));
  } catch {
    return false;
  }
}
