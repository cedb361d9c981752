import { shortText } from '../encoding.ts';
import { attribute, readXml } from '../markup/xml.ts';

/** What programs write about a picture: title, description and keywords, as XMP or as IPTC. */
interface Captions {
  readonly title?: string;
  readonly caption?: string;
  readonly keywords?: string;
}

/** What cameras write where a caption belongs. */
export const BY_CAMERA: RegExp = /^(?:\S+(?: \S+)? DIGITAL CAMERA|SONY DSC|DCIM\\.*|Exif_JPEG_\S*)$/i;

/** Larger packets hold previews and histories of edits. */
const MOST_XMP_BYTES = 2 ** 20;
/** Names in XMP, and numbers of records in IPTC, where XMP goes before. */
const XMP = { title: 'title', description: 'caption', subject: 'keywords' } as const;
const IPTC: Readonly<Record<number, keyof Captions>> = { 5: 'title', 25: 'keywords', 120: 'caption' };

/**
 * Both are found by their marks, which are the same in every format of pictures.
 * @see ISO 16684-1, 7.3; IPTC-NAA Information Interchange Model 4.2, 1.5
 */
export function readCaptions(bytes: Uint8Array): Captions {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { caption, ...found } = { ...iptcOf(file), ...xmpOf(file) };
  return caption === undefined || BY_CAMERA.test(caption) ? found : { ...found, caption };
}

function xmpOf(file: Buffer): Captions {
  const start = file.indexOf('<x:xmpmeta');
  const end = start === -1 ? -1 : file.indexOf('</x:xmpmeta>', start);
  if (end === -1 || end - start > MOST_XMP_BYTES) return {};
  const found: { -readonly [K in keyof Captions]: string } = {};
  let open: keyof Captions | undefined;
  let item: string | undefined;
  let isFirst = true;
  readXml(file.subarray(start, end + '</x:xmpmeta>'.length), {
    open: (name, attributes, qualified) => {
      if (qualified.startsWith('dc:') && Object.hasOwn(XMP, name)) {
        open = XMP[name as keyof typeof XMP];
        isFirst = true;
      } else if (open !== undefined && name === 'li') {
        // Of a text in several languages the first is read, or the one without a language.
        item = open === 'keywords' || isFirst || attribute(attributes, 'lang') === 'x-default' ? '' : undefined;
        isFirst = false;
      }
    },
    text: (text) => {
      if (item !== undefined) item += text;
    },
    close: (name, qualified) => {
      if (open !== undefined && name === 'li') {
        const text = item?.trim() ?? '';
        const before = open === 'keywords' && found.keywords !== undefined ? `${found.keywords}, ` : '';
        if (text !== '') found[open] = before + text;
        item = undefined;
      } else if (qualified.startsWith('dc:')) open = undefined;
    },
  });
  return found;
}

function iptcOf(file: Buffer): Captions {
  const found: { -readonly [K in keyof Captions]: string } = {};
  const block = file.indexOf(Buffer.from('8BIM\x04\x04', 'latin1'));
  if (block === -1 || block + 12 > file.length) return {};
  // A name with its length, padded to an even number of bytes, then the size of the records.
  let at = block + 6 + ((file[block + 6]! + 2) & ~1) + 4;
  for (let value: Buffer; file[at] === 0x1c && at + 5 <= file.length; at += 5 + value.length) {
    value = file.subarray(at + 5, at + 5 + (file.readUInt16BE(at + 3) & 0x7fff));
    const name = file[at + 1] === 2 ? IPTC[file[at + 2]!] : undefined;
    const text = shortText(value).trim();
    if (name === undefined || text === '') continue;
    found[name] = name === 'keywords' && found.keywords !== undefined ? `${found.keywords}, ${text}` : text;
  }
  return found;
}
