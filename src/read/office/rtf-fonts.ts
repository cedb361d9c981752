/** The fonts of an RTF file: each has the encoding of the bytes that are set in it. */
import { labelOfPage } from './code-pages.ts';
import { isSymbolFont, readSymbols, symbolOf } from './symbols.ts';

interface Decoder {
  decode(bytes: Uint8Array): string;
}

/** Number of a character set → code page. Western text (0) is in the code page of the file. */
const CHARACTER_SETS: Readonly<Record<number, number>> = {
  77: 10000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};
const LONGEST_TABLE = 1 << 18;

export class RtfFonts {
  #file: Decoder = new TextDecoder('windows-1252');
  readonly #own = new Map<number, Decoder>();
  readonly #symbols = new Map<number, string>();
  /** The font of text that names none. */
  readonly first: number;

  constructor(source: string) {
    this.first = Number(/\\deff(\d+)/.exec(source.slice(0, 4096))?.[1] ?? 0);
    const start = source.indexOf('{\\fonttbl');
    const table = start === -1 ? '' : source.slice(start, start + LONGEST_TABLE);
    for (const [, number, said] of tableOf(table).matchAll(/\\f(\d+)(?!\d)([^;]*);/g)) this.#add(Number(number), said!);
  }

  #add(number: number, said: string): void {
    const set = Number(/\\fcharset(\d+)/.exec(said)?.[1] ?? 0);
    const name = said
      .replace(/\{[^{}]*\}/g, '')
      .replace(/\\[a-z]+-?\d*/g, '')
      .replace(/[{}]/g, '')
      .trim();
    const page = Number(/\\cpg(\d+)/.exec(said)?.[1] ?? CHARACTER_SETS[set] ?? 0);
    const decoder = page === 0 ? undefined : decoderOf(page);
    if (decoder) this.#own.set(number, decoder);
    if (set === 2 && isSymbolFont(name)) this.#symbols.set(number, name);
  }

  /** The code page of the file, as it says itself. */
  setFile(page: number): void {
    this.#file = decoderOf(page) ?? new TextDecoder('windows-1252');
  }

  /** @param bytes of one font; a character may have two */
  decode(font: number, bytes: Uint8Array): string {
    const symbols = this.#symbols.get(font);
    if (symbols !== undefined) return Array.from(bytes, (byte) => symbolOf(symbols, byte)).join('');
    return (this.#own.get(font) ?? this.#file).decode(bytes);
  }

  /** Text that is not written as bytes. */
  show(font: number, text: string): string {
    const symbols = this.#symbols.get(font);
    if (symbols !== undefined) return readSymbols(symbols, text);
    // Raw 8-bit characters are in a code page, too.
    return /[\x80-\xff]/.test(text) ? this.decode(font, Buffer.from(text, 'latin1')) : text;
  }

  /** A character that is written by its number of Unicode. */
  character(font: number, code: number): string {
    const symbols = this.#symbols.get(font);
    return symbols !== undefined && code >= 0xf000 ? symbolOf(symbols, code) : String.fromCharCode(code);
  }
}

/** The table alone, to the brace that ends it. */
function tableOf(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return text.slice(0, at);
  }
  return text;
}

function decoderOf(page: number): Decoder | undefined {
  const label = labelOfPage(page);
  return label === undefined ? undefined : new TextDecoder(label);
}
