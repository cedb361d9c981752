import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { WireError } from './errors.ts';

const MASK = '[key]';

/** A key that can be used but not seen: printing, serialising or inspecting it shows only a mask. */
export class ApiKey {
  readonly #value: string;
  readonly #spellings: readonly string[];
  /** Twelve hex digits of a hash: tells keys apart in the limiter, gives nothing away. */
  readonly fingerprint: string;

  /**
   * @param value spaces and line ends around it are dropped (they come from copying)
   * @param name what the caller calls it, for errors: `apiKey`, `MESSAGES_API_KEY`
   * @throws WireError KEY_MISSING when empty; INVALID_ARGUMENT when it cannot stand in a header, or in a browser
   */
  constructor(value: string, name = 'apiKey') {
    refuseBrowser();
    const trimmed = typeof value === 'string' ? value.trim() : '';
    if (trimmed === '') {
      throw new WireError('KEY_MISSING', `${name} is missing or empty`, {
        hint: `Set ${name} to the key of the service.`,
      });
    }
    if (!/^[\x21-\x7e]+$/.test(trimmed)) {
      throw new WireError('INVALID_ARGUMENT', `${name} holds a space, a line end or a character beyond ASCII`, {
        hint: 'Copy the key again, only the key.',
      });
    }
    this.#value = trimmed;
    Object.defineProperty(this, inspect.custom, { value: () => MASK });
    this.fingerprint = createHash('sha256').update(trimmed).digest('hex').slice(0, 12);
    const spellings = new Set([trimmed, encodeURIComponent(trimmed), JSON.stringify(trimmed).slice(1, -1)]);
    this.#spellings = [...spellings].sort((a, b) => b.length - a.length);
  }

  /** The one place that lets the key out. */
  header<T>(write: (key: string) => T): T {
    return write(this.#value);
  }

  /** The text with every spelling of the key masked: a service may echo it. */
  scrub(text: string): string {
    let out = text;
    for (const spelling of this.#spellings) if (out.includes(spelling)) out = out.replaceAll(spelling, MASK);
    return out;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }
}

/**
 * The key of an environment given as an object (`process.env` at the edge of the program; nothing here reads it by
 * itself).
 * @throws WireError KEY_MISSING naming the variables looked for
 */
export function keyFromEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  ...names: readonly string[]
): string {
  for (const name of names) {
    const value = env[name]?.trim();
    if (value !== undefined && value !== '') return value;
  }
  throw new WireError('KEY_MISSING', `no key: ${names.join(' or ')} is not set`, {
    hint: `Set the environment variable ${names[0]}, or pass apiKey.`,
  });
}

/** A key in a web page belongs to everyone who opens it. */
function refuseBrowser(): void {
  if ('window' in globalThis && 'document' in globalThis) {
    throw new WireError('INVALID_ARGUMENT', 'keys are not used in a browser', {
      hint: 'Call the service from a server of yours, or use a single-use token.',
    });
  }
}
