import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { WireError } from './errors.ts';

const MASK = '[key]';
const NONE: unique symbol = Symbol('no key');
const MASKED_FROM = 16;
/** A header's value that is shorter is a word that any text may hold. */
const SECRET_FROM = 8;
/** A shorter part of a key is what any text may hold, and opens nothing. */
const PART_FROM = 8;
/** `\u0021` to `\u007e` but quote and backslash, and `\/`. */
const escaped = /\\(?:u00(?!22|5c)([2-7][0-9a-f])|\/)/gi;

/** A key that can be used but not seen: printing, serialising or inspecting it shows only a mask. */
export class ApiKey {
  readonly #value: string | undefined;
  readonly #spellings: readonly string[];
  /** Twelve hex digits of a hash: tells keys apart in the limiter, gives nothing away. */
  readonly fingerprint: string;

  /**
   * @param value spaces and line ends around it are dropped (they come from copying)
   * @param name what the caller calls it, for errors: `apiKey`, `MESSAGES_API_KEY`
   * @param headers the caller's own, which may hold secrets too: those are masked with the key
   * @throws WireError KEY_MISSING when empty; INVALID_ARGUMENT when it cannot stand in a header, or in a browser
   */
  constructor(value: string | typeof NONE, name = 'apiKey', headers: Readonly<Record<string, string>> = {}) {
    refuseBrowser();
    Object.defineProperty(this, inspect.custom, { value: () => MASK });
    const secrets = secretsOf(headers);
    if (value === NONE) {
      this.#value = undefined;
      this.fingerprint = fingerprintOf(secrets.join('\n'));
      this.#spellings = spellingsOf(secrets);
      return;
    }
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
    this.fingerprint = fingerprintOf(trimmed);
    this.#spellings = spellingsOf([trimmed, ...secrets]);
  }

  /** For a server that needs no key. */
  static none(headers?: Readonly<Record<string, string>>): ApiKey {
    return new ApiKey(NONE, 'apiKey', headers);
  }

  /** The one place that lets the key out; undefined without one. */
  header<T>(write: (key: string) => T): T | undefined {
    return this.#value === undefined ? undefined : write(this.#value);
  }

  /** The text of an error with every spelling of the key masked, and its beginning and end: a service may echo them. */
  scrub(text: string): string {
    let out = this.#withoutKey(text);
    for (const spelling of this.#spellings) if (spelling.length >= MASKED_FROM) out = withoutParts(out, spelling);
    return out;
  }

  #withoutKey(text: string): string {
    let out = text;
    for (const spelling of this.#spellings) if (out.includes(spelling)) out = out.replaceAll(spelling, MASK);
    return out;
  }

  /**
   * Text of an answer with the key masked: what a service says back would go on into errors, traces and logs. A key of
   * fewer than 16 characters is a placeholder that any text may hold, and stays; so do parts of a key: an answer may
   * well speak of how keys begin.
   */
  mask(text: string): string {
    if ((this.#value?.length ?? 0) < MASKED_FROM) return text;
    const masked = this.#withoutKey(text);
    if (!masked.includes('\\u00') && !masked.includes('\\/')) return masked;
    // JSON may spell any character as an escape; quotes and backslashes have to stay escaped
    const plain = masked.replace(escaped, (_, hex: string | undefined) =>
      hex === undefined ? '/' : String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return this.#spellings.some((spelling) => plain.includes(spelling)) ? this.#withoutKey(plain) : masked;
  }

  /** The beginning of a text, masked, with no part of the key where it is cut. */
  excerpt(text: string, limit: number): string {
    const start = this.scrub(text.slice(0, limit));
    for (const spelling of this.#spellings) {
      for (let length = spelling.length - 1; length >= 4; length--) {
        if (start.endsWith(spelling.slice(0, length))) return start.slice(0, -length) + MASK;
      }
    }
    return start;
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

/** Values of headers that carry a secret by their name; of `Bearer …` also the part behind the scheme. */
function secretsOf(headers: Readonly<Record<string, string>>): string[] {
  const values = Object.entries(headers).flatMap(([name, value]) =>
    /auth|key|token|secret|cookie|password/i.test(name) ? [value, value.split(' ').at(-1)!] : [],
  );
  return values.filter((value) => value.length >= SECRET_FROM);
}

const fingerprintOf = (secret: string): string => createHash('sha256').update(secret).digest('hex').slice(0, 12);

/** As a text may hold them, the longest first. */
function spellingsOf(secrets: readonly string[]): string[] {
  const spellings = secrets.flatMap((one) => [one, encodeURIComponent(one), JSON.stringify(one).slice(1, -1)]);
  return [...new Set(spellings)].sort((a, b) => b.length - a.length);
}

/** Every run of at least `PART_FROM` characters that begins or ends a secret masked. */
function withoutParts(text: string, secret: string): string {
  const head = secret.slice(0, PART_FROM);
  const tail = secret.slice(-PART_FROM);
  let out = text;
  for (let at = out.indexOf(head); at >= 0; at = out.indexOf(head, at + MASK.length)) {
    let length = PART_FROM;
    while (length < secret.length && out[at + length] === secret[length]) length++;
    out = out.slice(0, at) + MASK + out.slice(at + length);
  }
  for (let at = out.indexOf(tail); at >= 0; at = out.indexOf(tail, at)) {
    let length = PART_FROM;
    while (length < secret.length && out[at + PART_FROM - length - 1] === secret.at(-length - 1)) length++;
    out = out.slice(0, at + PART_FROM - length) + MASK + out.slice(at + PART_FROM);
    at += PART_FROM - length + MASK.length;
  }
  return out;
}

/** A key in a web page belongs to everyone who opens it. */
function refuseBrowser(): void {
  if ('window' in globalThis && 'document' in globalThis) {
    throw new WireError('INVALID_ARGUMENT', 'keys are not used in a browser', {
      hint: 'Call the service from a server of yours, or use a single-use token.',
    });
  }
}
