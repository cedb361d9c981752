/** Mail that is signed as a whole, so that its text stands inside the signature. @see RFC 5652, RFC 8551 */

const SIGNED = '2a864886f70d010702';
const SEQUENCE = 0x30;
const OBJECT = 0x06;
const OCTETS = 0x04;
const TAGGED = 0xa0;
const CONSTRUCTED = 0x20;
const MAX_DEPTH = 30;

/** One element of BER; what it holds is from `start` to `end`. */
interface Element {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
  /** Where the next one begins. */
  readonly next: number;
}

/** @returns the message that was signed; undefined where none is inside, or where it is encrypted */
export function signedContent(bytes: Uint8Array): Uint8Array | undefined {
  const whole = elementAt(bytes, 0, bytes.length);
  const [type, content] = whole?.tag === SEQUENCE ? childrenOf(bytes, whole) : [];
  if (type?.tag !== OBJECT || hexOf(bytes, type) !== SIGNED || content?.tag !== TAGGED) return undefined;
  const data = childrenOf(bytes, content)[0];
  // A version, the digests, what is signed; certificates follow.
  const inside = data && childrenOf(bytes, data)[2];
  const signed = inside?.tag === SEQUENCE ? childrenOf(bytes, inside)[1] : undefined;
  const octets = signed?.tag === TAGGED ? childrenOf(bytes, signed)[0] : undefined;
  const pieces = octets ? piecesOf(bytes, octets, 0) : [];
  return pieces.length === 0 ? undefined : Buffer.concat(pieces);
}

/** A text of octets, in one piece or in several. */
function piecesOf(bytes: Uint8Array, element: Element, depth: number): Uint8Array[] {
  if (element.tag === OCTETS) return [bytes.subarray(element.start, element.end)];
  if (element.tag !== (OCTETS | CONSTRUCTED) || depth > MAX_DEPTH) return [];
  return childrenOf(bytes, element).flatMap((child) => piecesOf(bytes, child, depth + 1));
}

function childrenOf(bytes: Uint8Array, { tag, start, end }: Element): Element[] {
  const children: Element[] = [];
  if ((tag & CONSTRUCTED) === 0) return children;
  for (let at = start; at < end; ) {
    const child = elementAt(bytes, at, end);
    if (!child) break;
    children.push(child);
    at = child.next;
  }
  return children;
}

function hexOf(bytes: Uint8Array, { start, end }: Element): string {
  return Buffer.from(bytes.subarray(start, end)).toString('hex');
}

/** An element without a length ends with two zeros. One that is cut short ends where what holds it does. */
function elementAt(bytes: Uint8Array, at: number, limit: number, depth = 0): Element | undefined {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined || at + 2 > limit || (tag === 0 && first === 0)) return undefined;
  if (first === 0x80) {
    let end = at + 2;
    if (depth > MAX_DEPTH) return undefined;
    for (let child = elementAt(bytes, end, limit, depth + 1); child; ) {
      end = child.next;
      child = elementAt(bytes, end, limit, depth + 1);
    }
    return { tag, start: at + 2, end, next: Math.min(limit, end + 2) };
  }
  const wide = first > 0x80 ? first & 0x7f : 0;
  if (wide > 6) return undefined;
  let length = wide === 0 ? first : 0;
  for (let i = 0; i < wide; i++) length = length * 256 + (bytes[at + 2 + i] ?? 0);
  const start = at + 2 + wide;
  const end = Math.min(limit, start + length);
  return start > limit ? undefined : { tag, start, end, next: end };
}
