/** Receives the parts of a JSON text in order. */
export interface JsonVisitor {
  /**
   * A string, number, `true`, `false`, `null`, or (not in the standard) `NaN` or `Infinity`. `start` is an offset in
   * the text.
   */
  scalar(value: string, isString: boolean, start: number): void;
  open(kind: 'array' | 'object', start: number): void;
  close(kind: 'array' | 'object', end: number): void;
  key(name: string, start: number): void;
  /** What stands in a comment, without its marks. */
  comment?(text: string, start: number): void;
}

/** What is wrong and where. */
export interface JsonProblem {
  readonly message: string;
  readonly offset: number;
}

/**
 * Reads JSON without recursion and without building objects: deep nesting cannot overflow the stack, and `__proto__` is
 * an ordinary key. Comments and trailing commas are allowed. Stops at the first error.
 * @returns the error; `undefined` when the text is one complete JSON value
 * @see RFC 8259
 */
export function walkJson(
  text: string,
  visitor: JsonVisitor,
  from = 0,
  to: number = text.length,
): JsonProblem | undefined {
  const nesting: ('array' | 'object')[] = [];
  let at = from;
  let expectValue = true;
  const problem = (message: string): JsonProblem => ({ message, offset: at });

  for (;;) {
    at = skipBlank(text, at, to, visitor);
    if (at >= to) return nesting.length > 0 || expectValue ? problem('the text ends inside a value') : undefined;
    const code = text.charCodeAt(at);
    const inside = nesting[nesting.length - 1];
    if (!expectValue) {
      if (inside === undefined) return problem('there is text after the value');
      if (code === COMMA) {
        at = skipBlank(text, at + 1, to, visitor);
        const next = text.charCodeAt(at);
        if (next !== CLOSE_BRACE && next !== CLOSE_BRACKET) {
          if (inside === 'object') {
            const key = readKey(text, at, to, visitor);
            if (key === -1) return problem('a key is expected here');
            at = key;
          }
          expectValue = true;
          continue;
        }
      }
      const closer = text.charCodeAt(at);
      if ((closer === CLOSE_BRACE && inside === 'object') || (closer === CLOSE_BRACKET && inside === 'array')) {
        at++;
        nesting.pop();
        visitor.close(inside, at);
        continue;
      }
      return problem('a comma or the end of the value is expected here');
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      const kind = code === OPEN_BRACE ? 'object' : 'array';
      visitor.open(kind, at);
      at = skipBlank(text, at + 1, to, visitor);
      const next = text.charCodeAt(at);
      if (at < to && next === (kind === 'object' ? CLOSE_BRACE : CLOSE_BRACKET)) {
        at++;
        visitor.close(kind, at);
        expectValue = false;
        continue;
      }
      nesting.push(kind);
      if (kind === 'object') {
        const key = readKey(text, at, to, visitor);
        if (key === -1) return problem('a key is expected here');
        at = key;
      }
      continue;
    }
    if (code === QUOTE) {
      const end = stringEnd(text, at, to);
      if (end === -1) return problem('a string is never closed');
      visitor.scalar(unescaped(text, at, end), true, at);
      at = end;
      expectValue = false;
      continue;
    }
    LITERAL.lastIndex = at;
    const literal = LITERAL.exec(text)?.[0];
    if (literal === undefined || at + literal.length > to) return problem('a value is expected here');
    visitor.scalar(literal, false, at);
    at += literal.length;
    expectValue = false;
  }
}

const COMMA = 44;
const QUOTE = 34;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const LITERAL = /-?(?:\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|Infinity)|true|false|null|NaN/y;

function readKey(text: string, at: number, to: number, visitor: JsonVisitor): number {
  if (text.charCodeAt(at) !== QUOTE) return -1;
  const end = stringEnd(text, at, to);
  if (end === -1) return -1;
  const colon = skipBlank(text, end, to, visitor);
  if (text.charCodeAt(colon) !== 58) return -1;
  visitor.key(unescaped(text, at, end), at);
  return colon + 1;
}

function skipBlank(text: string, from: number, to: number, visitor: JsonVisitor): number {
  let at = from;
  while (at < to) {
    const code = text.charCodeAt(at);
    if (code === 32 || code === 10 || code === 13 || code === 9) at++;
    else if (code === 47 && text.charCodeAt(at + 1) === 47) {
      const end = text.indexOf('\n', at);
      const next = end === -1 || end > to ? to : end;
      visitor.comment?.(text.slice(at + 2, next), at);
      at = next;
    } else if (code === 47 && text.charCodeAt(at + 1) === 42) {
      const end = text.indexOf('*/', at + 2);
      const isOpen = end === -1 || end > to;
      visitor.comment?.(text.slice(at + 2, isOpen ? to : end), at);
      at = isOpen ? to : end + 2;
    } else break;
  }
  return at;
}

/** The offset after the closing quote of a string, or -1. */
function stringEnd(text: string, from: number, to: number): number {
  for (let at = from + 1; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === 92) at++;
  }
  return -1;
}

const SHORT: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '',
  f: '\n',
  '"': '"',
  '\\': '\\',
  '/': '/',
};

/** The characters between the quotes, with escapes resolved; an unknown escape stays as written. */
function unescaped(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1);
  if (!raw.includes('\\')) return raw;
  return raw.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (whole, hex: string | undefined, short: string | undefined) =>
    hex !== undefined ? String.fromCharCode(Number.parseInt(hex, 16)) : (SHORT[short ?? ''] ?? whole),
  );
}
