/**
 * Character maps for Chinese, Japanese and Korean fonts that name a predefined CMap (`90ms-RKSJ-H`, `GBK-EUC-H`, …) and
 * have no map to Unicode. The usual tables take megabytes; these maps are made with the platform's decoders.
 *
 * pdf.js maps a character code to a CID by the CMap of the font, and the CID to Unicode by `Adobe-<ordering>-UCS2`.
 * Text needs only the composition, so both maps use CIDs above all CIDs that Adobe assigned; what Adobe's own stand for
 * is told by `cids.ts`.
 * @see Adobe Technical Notes 5014 and 5094
 */
import { charactersOf, type Ordering } from './cids.ts';

interface Charset {
  readonly ordering: Ordering;
  /** Name for TextDecoder; undefined when the codes are UTF-16. */
  readonly decoder: string | undefined;
  /** The same table with 7-bit codes, as in the CMap `H`. */
  readonly sevenBit?: boolean;
}

/** Above the last CID of any Adobe collection (Adobe-GB1 ends at 30,571). */
const FIRST_CID = 31_000;
const BASE: Readonly<Record<Ordering, readonly string[]>> = {
  Japan1: ['shift_jis', 'euc-jp'],
  GB1: ['gbk'],
  CNS1: ['big5'],
  Korea1: ['euc-kr'],
};

function charsetOf(name: string): Charset | undefined {
  const bare = name.replace(/-(?:HW-)?[HV]$/u, '');
  if (/^Uni(?:JIS|JIS2004|JISPro|GB|CNS|KS)-(?:UCS2|UTF16)$/u.test(bare)) {
    const ordering = bare.startsWith('UniJIS')
      ? 'Japan1'
      : bare.startsWith('UniGB')
        ? 'GB1'
        : bare.startsWith('UniCNS')
          ? 'CNS1'
          : 'Korea1';
    return { ordering, decoder: undefined };
  }
  if (/RKSJ$/u.test(bare)) return { ordering: 'Japan1', decoder: 'shift_jis' };
  if (bare === 'EUC') return { ordering: 'Japan1', decoder: 'euc-jp' };
  if (name === 'H' || name === 'V') return { ordering: 'Japan1', decoder: 'euc-jp', sevenBit: true };
  if (/^(?:GBK?p?c?|GBKp|GBTpc)-EUC$|^GBK2K$/u.test(bare)) return { ordering: 'GB1', decoder: 'gbk' };
  if (/B5(?:pc)?$/u.test(bare)) return { ordering: 'CNS1', decoder: 'big5' };
  if (/^KSC(?:ms|pc)?-(?:EUC|UHC)$/u.test(bare)) return { ordering: 'Korea1', decoder: 'euc-kr' };
  return undefined;
}

/** Gives pdf.js its CMaps, as its option `BinaryDataFactory`. Each instance serves one document. */
export class CMapFactory {
  async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
    const text = kind === 'cMapUrl' ? this.#cmap(filename) : undefined;
    if (text === undefined) throw new Error(`no data for ${filename}`);
    return new TextEncoder().encode(text);
  }

  #cmap(name: string): string | undefined {
    const target = /^Adobe-(Japan1|GB1|CNS1|Korea1)-UCS2$/u.exec(name)?.[1];
    if (target !== undefined) return toUnicodeMap(target as Ordering); // the pattern above admits nothing else
    const charset = charsetOf(name);
    return charset && encodingMap(name, charset);
  }
}

/** Characters of an ordering; the CID of each is `FIRST_CID` plus its index. */
function characters(ordering: Ordering): string[] {
  const found = new Set<string>();
  for (const decoder of BASE[ordering]) for (const [, character] of codes(decoder)) found.add(character);
  return [...found].slice(0, 0xffff - FIRST_CID);
}

/** All one- and two-byte codes of a charset with their characters. */
function* codes(name: string): Generator<[code: number[], character: string]> {
  const decoder = new TextDecoder(name);
  for (let byte = 0x20; byte < 0xff; byte++) {
    const character = byte === 0x7f ? '' : decoder.decode(Uint8Array.of(byte));
    if (usable(character)) yield [[byte], character];
  }
  for (let lead = 0x81; lead < 0xff; lead++) {
    for (let trail = 0x40; trail < 0xff; trail++) {
      const character = decoder.decode(Uint8Array.of(lead, trail));
      if (usable(character)) yield [[lead, trail], character];
    }
  }
}

/** Whether a decoded code is one BMP character. An invalid pair decodes to U+FFFD or to two characters. */
function usable(character: string): boolean {
  return character.length === 1 && character !== '\ufffd' && !/[\p{Cc}\p{Cs}\p{Co}]/u.test(character);
}

function hex(bytes: readonly number[]): string {
  return `<${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}>`;
}

function utf16(character: string): number[] {
  const code = character.charCodeAt(0);
  return [code >> 8, code & 0xff];
}

function toUnicodeMap(ordering: Ordering): string {
  const all = new Map(characters(ordering).map((character, i): [number, string] => [FIRST_CID + i, character]));
  for (const [cid, character] of charactersOf(ordering)) all.set(cid, character);
  const lines = [...all].map(([cid, character]) => `${hex([cid >> 8, cid & 0xff])} ${hex(utf16(character))}`);
  return `begincmap\n1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n${lines.length} beginbfchar\n${lines.join('\n')}\nendbfchar\nendcmap\n`;
}

function encodingMap(name: string, { ordering, decoder, sevenBit = false }: Charset): string {
  const all = characters(ordering);
  const cids = new Map(all.map((character, i) => [character, FIRST_CID + i]));
  const lines: string[] = [];
  let singles = '';
  if (decoder === undefined) {
    for (const [character, cid] of cids) lines.push(`${hex(utf16(character))} ${cid}`);
  } else {
    for (const [code, character] of codes(decoder)) {
      const cid = cids.get(character);
      if (cid === undefined) continue;
      if (!sevenBit) lines.push(`${hex(code)} ${cid}`);
      else if (code.length === 2 && code.every((byte) => byte > 0xa0))
        lines.push(`${hex(code.map((byte) => byte & 0x7f))} ${cid}`);
    }
    if (!sevenBit) singles = decoder === 'shift_jis' ? '<00> <80>\n<a0> <df>\n' : '<00> <80>\n';
  }
  const ranges =
    decoder === undefined
      ? '<0000> <ffff>'
      : sevenBit
        ? '<2121> <7e7e>'
        : decoder === 'shift_jis'
          ? '<8140> <9ffc>\n<e040> <fcfc>'
          : '<8140> <fefe>';
  const count = singles.split('\n').length - 1 + ranges.split('\n').length;
  return `begincmap\n/CMapName /${name} def\n/WMode ${/V$/u.test(name) ? 1 : 0} def\n${count} begincodespacerange\n${singles}${ranges}\nendcodespacerange\n${lines.length} begincidchar\n${lines.join('\n')}\nendcidchar\nendcmap\n`;
}
