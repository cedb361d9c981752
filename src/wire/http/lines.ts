import { PieceTooLarge, type Splitter } from './events.ts';
import { Utf8 } from './utf8.ts';

/**
 * Lines of a byte stream without their LF or CRLF; blank ones are left out, the last needs no line end.
 * @param admit each line, changed where it has to be
 * @throws PieceTooLarge when a line has more than `limit` characters
 */
export function lineSplitter(limit: number, admit: (text: string) => string = (text) => text): Splitter<string> {
  const utf8 = new Utf8();
  let rest = '';
  let first = true;
  const add = (lines: string[], line: string): void => {
    const text = line.charCodeAt(line.length - 1) === CR ? line.slice(0, -1) : line;
    // What begins with a visible ASCII character is not blank: that spares most lines a closer look.
    const first = text.charCodeAt(0);
    if ((first > 32 && first < 127) || text.trim() !== '') lines.push(admit(text));
  };
  const feed = (piece: string): string[] => {
    let text = piece;
    if (first && text !== '') {
      first = false;
      if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    }
    const lines: string[] = [];
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      add(lines, start === 0 ? rest + text.slice(0, end) : text.slice(start, end));
      if (start === 0) rest = '';
      start = end + 1;
    }
    rest = start === 0 ? rest + text : text.slice(start);
    if (rest.length > limit) throw new PieceTooLarge(`a line is over ${limit} characters`);
    return lines;
  };
  return {
    write: (chunk) => feed(utf8.write(chunk)),
    end: () => {
      const lines = feed(utf8.end());
      add(lines, rest);
      rest = '';
      return lines;
    },
  };
}

const CR = 13;

/** Bytes as they are. */
export function byteSplitter(): Splitter<Uint8Array> {
  return { write: (chunk) => (chunk.byteLength === 0 ? [] : [chunk]), end: () => [] };
}
