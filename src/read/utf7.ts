/** UTF-7, in which old mail servers wrote other letters (RFC 2152). It looks like ASCII: only a declaration tells it. */

export function isUtf7(label: string): boolean {
  return /^\s*"?(?:x-)?(?:unicode-[12]-[01]-)?utf-?7"?\s*$/i.test(label);
}

/** @param bytes ASCII; what is no UTF-7 stays as it is written */
export function decodeUtf7(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/\+([A-Za-z0-9+/]*)-?/g, (whole, letters: string) => {
      if (letters === '') return whole === '+-' ? '+' : whole;
      const units = Buffer.from(letters, 'base64');
      const text = units
        .subarray(0, units.length & ~1)
        .swap16()
        .toString('utf16le');
      return text !== '' && text.isWellFormed() ? text : whole;
    });
}
