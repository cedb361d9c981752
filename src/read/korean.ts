/** Korean encodings as far as Node's decoder does not know them: the syllables that Windows added, and ISO-2022-KR. */

const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;
/** Second bytes of added syllables: letters of ASCII, then high bytes. */
const LETTERS = 26;
const LONG_ROW = 178;
const SHORT_ROW = 84;
const FIRST_ROW = 0x81;
const FIRST_SHORT_ROW = 0xa1;
const LAST_ROW = 0xc6;

let added: readonly string[] | undefined;

/** The syllables that KS X 1001 has no code for, in the order of Unicode: so Windows added them. */
function addedSyllables(): readonly string[] {
  if (added) return added;
  const codes = Buffer.alloc(25 * 94 * 2);
  for (let i = 0; i < 25 * 94; i++) {
    codes[2 * i] = 0xb0 + Math.floor(i / 94);
    codes[2 * i + 1] = 0xa1 + (i % 94);
  }
  const standard = new Set(new TextDecoder('euc-kr').decode(codes));
  const others: string[] = [];
  for (let code = FIRST_SYLLABLE; code <= LAST_SYLLABLE; code++) {
    const syllable = String.fromCharCode(code);
    if (!standard.has(syllable)) others.push(syllable);
  }
  added = others;
  return others;
}

/** The added syllable or sign of two bytes; undefined for others. */
function addedSign(lead: number, trail: number): string | undefined {
  if (lead === 0xa2 && (trail === 0xe6 || trail === 0xe7)) return trail === 0xe6 ? '€' : '®';
  if (lead < FIRST_ROW || lead > LAST_ROW) return undefined;
  const isShort = lead >= FIRST_SHORT_ROW;
  let at: number;
  if (trail >= 0x41 && trail <= 0x5a) at = trail - 0x41;
  else if (trail >= 0x61 && trail <= 0x7a) at = trail - 0x61 + LETTERS;
  else if (trail >= 0x81 && trail <= (isShort ? 0xa0 : 0xfe)) at = trail - 0x81 + 2 * LETTERS;
  else return undefined;
  const row = isShort
    ? (FIRST_SHORT_ROW - FIRST_ROW) * LONG_ROW + (lead - FIRST_SHORT_ROW) * SHORT_ROW
    : (lead - FIRST_ROW) * LONG_ROW;
  return addedSyllables()[row + at];
}

/** @throws TypeError for bytes that are no text of this encoding, when `fatal` */
export function decodeEucKr(bytes: Uint8Array, fatal: boolean): string {
  const decoder = new TextDecoder('euc-kr', { fatal });
  const pieces: string[] = [];
  let from = 0;
  for (let i = 0; i + 1 < bytes.length; i++) {
    if (bytes[i]! < 0x80) continue;
    const sign = addedSign(bytes[i]!, bytes[i + 1]!);
    if (sign !== undefined) {
      pieces.push(decoder.decode(bytes.subarray(from, i)), sign);
      from = i + 2;
    }
    i++; // the second byte of a pair
  }
  pieces.push(decoder.decode(bytes.subarray(from)));
  return pieces.join('');
}

/** ISO-2022-KR in its other, 8-bit form: letters between SO and SI have their high bit. @see RFC 1557 */
export function widened(bytes: Uint8Array): Uint8Array {
  const out = Buffer.alloc(bytes.length);
  let length = 0;
  let isKorean = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === 0x1b && bytes[i + 1] === 0x24 && bytes[i + 2] === 0x29 && bytes[i + 3] === 0x43) i += 3;
    else if (byte === 0x0e || byte === 0x0f) isKorean = byte === 0x0e;
    else {
      if (byte === 10) isKorean = false; // each line begins in ASCII
      out[length++] = isKorean && byte > 32 ? byte | 0x80 : byte;
    }
  }
  return out.subarray(0, length);
}
