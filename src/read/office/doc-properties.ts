/** How Word before 2007 writes properties of text: pages of runs, each with a list of modifiers. */

const PAGE_BYTES = 512;

/** The pages of properties that a table names (2.8.5 and 2.8.6 of [MS-DOC]); those outside of the file are skipped. */
export function* propertyPages(word: Buffer, plc: Buffer): Generator<Buffer> {
  const count = Math.max(0, Math.floor((plc.length - 4) / 8));
  for (let i = 0; i < count; i++) {
    const page = (plc.readUInt32LE((count + 1) * 4 + i * 4) & 0x3fffff) * PAGE_BYTES;
    if (page + PAGE_BYTES <= word.length) yield word.subarray(page, page + PAGE_BYTES);
  }
}

const TABLE_OPERAND = 0xd608;
/** Bytes of an operand, by the top three bits of its modifier (2.6.1); 0: the operand has its own length field. */
const OPERAND_BYTES = [1, 1, 2, 4, 2, 2, 0, 3] as const;

/** The modifiers of a list, each with the bytes from its operand on. */
export function* modifiersIn(properties: Buffer): Generator<{ readonly modifier: number; readonly operand: Buffer }> {
  for (let at = 0; at + 3 <= properties.length; ) {
    const modifier = properties.readUInt16LE(at);
    yield { modifier, operand: properties.subarray(at + 2) };
    const fixed = OPERAND_BYTES[modifier >> 13]!;
    if (fixed > 0) at += 2 + fixed;
    else if (modifier === TABLE_OPERAND) at += 3 + properties[at + 2]! + (properties[at + 3] ?? 0) * 256;
    else at += 3 + properties[at + 2]!;
  }
}
