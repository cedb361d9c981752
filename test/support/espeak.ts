import { resolve } from 'node:path';

/** A program with the arguments of espeak-ng that are used: it hums 60 ms for each character. */
export const espeakStandIn: string = resolve(import.meta.dirname, 'espeak-stand-in');
