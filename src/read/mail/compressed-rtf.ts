import { IbidError } from '../../core/errors.ts';

const COMPRESSED = 0x75465a4c; // 'LZFu'
const PLAIN = 0x414c454d; // 'MELA'
const HEADER_BYTES = 16;
const WINDOW = 4096;
/** The window begins with this text. @see [MS-OXRTFCP], 2.1.2.1 */
const PRELOADED =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx';

/** The RTF text of a message. @throws IbidError FILE_DAMAGED, FILE_TOO_LARGE */
export function unpackRtf(bytes: Uint8Array, maxBytes: number): Uint8Array {
  const packed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (packed.length < HEADER_BYTES) throw new IbidError('FILE_DAMAGED', 'the RTF text is cut short');
  const size = packed.readUInt32LE(4);
  const kind = packed.readUInt32LE(8);
  if (kind === PLAIN) return packed.subarray(HEADER_BYTES, HEADER_BYTES + size);
  if (kind !== COMPRESSED) throw new IbidError('FILE_DAMAGED', 'the RTF text is packed in an unknown way');
  if (size > maxBytes) throw new IbidError('FILE_TOO_LARGE', `the RTF text unpacks to ${size} bytes`);
  const window = Buffer.alloc(WINDOW);
  let write = window.write(PRELOADED, 'latin1');
  const out: number[] = [];
  const put = (byte: number): void => {
    out.push(byte);
    window[write] = byte;
    write = (write + 1) % WINDOW;
  };
  for (let at = HEADER_BYTES; at < packed.length && out.length <= size; ) {
    const control = packed[at++]!;
    for (let bit = 0; bit < 8 && at < packed.length; bit++) {
      if ((control & (1 << bit)) === 0) {
        put(packed[at++]!);
        continue;
      }
      if (at + 2 > packed.length) return Uint8Array.from(out);
      const reference = packed.readUInt16BE(at);
      at += 2;
      const from = reference >> 4;
      if (from === write) return Uint8Array.from(out); // the mark of the end
      for (let i = 0; i < (reference & 15) + 2; i++) put(window[(from + i) % WINDOW]!);
    }
  }
  return Uint8Array.from(out);
}
