import { createRequire } from 'node:module';

type Encoding = typeof import('gpt-tokenizer/encoding/o200k_base');

let encoding: Encoding | undefined;
/** Ordinary text may spell a special token ("<|endoftext|>"): here it is text like any other. */
const asPlainText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

/**
 * Tokens of a text in the o200k_base encoding, exact.
 * The vocabulary is loaded with the first call (about 0.1 s and 75 MB), which is why it is not a plain import.
 */
export function countTokens(text: string): number {
  if (text === '') return 0;
  encoding ??= createRequire(import.meta.url)('gpt-tokenizer/encoding/o200k_base') as Encoding;
  return encoding.countTokens(text, asPlainText);
}
