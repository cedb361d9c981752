/** The records of which PowerPoint 97 to 2003 makes its stream ([MS-PPT] 2.3.1). */

const CONTAINER = 0xf;

export interface Atom {
  readonly type: number;
  readonly instance: number;
  readonly isContainer: boolean;
  readonly data: Buffer;
}

/** Up to the first one that is cut short. */
export function* atoms(data: Buffer): Generator<Atom, void, undefined> {
  for (let at = 0; at + 8 <= data.length; ) {
    const head = data.readUInt16LE(at);
    const end = at + 8 + data.readUInt32LE(at + 4);
    if (end > data.length) return;
    const type = data.readUInt16LE(at + 2);
    yield { type, instance: head >> 4, isContainer: (head & 15) === CONTAINER, data: data.subarray(at + 8, end) };
    at = end;
  }
}
