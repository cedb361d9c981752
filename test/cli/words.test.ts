import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import Messages from '@anthropic-ai/sdk';
import Search from '@perplexity-ai/perplexity_ai';
import { describe, expect, it } from 'vitest';
import { commandHint, commandWords } from '../../src/cli/hints.ts';
import { audioService, howToSet, messagesService, searchService } from '../../src/cli/keys.ts';
import { IbidError } from '../../src/index.ts';

const src = join(import.meta.dirname, '../../src');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !/^(cli|wire)\/|^embed\/own.ts$/.test(name), // only a program gives an embedder of its own
);

/** Every hint of the library that is written as a literal. */
const hints = files.flatMap((file) => {
  const text = readFileSync(join(src, file), 'utf8');
  return [
    ...text.matchAll(/hint:\s*(?:[^'"`;{}]*\?\s*)?('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(?:\s*:\s*('[^']*'))?/g),
  ].flatMap(([, one, other]) =>
    [one, other].filter((hint) => hint !== undefined).map((hint) => ({ file, hint: hint.slice(1, -1) })),
  );
});

/** Means the same to both, or can only be said by a program. */
const alike =
  /^(lance|locks|maxmemory|prices|ps2pdf|asynchronous|functions|contextTokens|export default.*|services.*|ibid\/wire|ibid\/queue|ingestQueue|ask)$/;

describe('hints', () => {
  it('of the library name no flag and no command of the command line', () => {
    expect(hints.length).toBeGreaterThan(60);
    expect(hints.filter(({ hint }) => /(^|[\s`(])--[a-z]|`ibid /.test(hint))).toEqual([]);
  });

  it('that name an option of the library have a translation', () => {
    const told = hints.map(({ file, hint }) => ({
      file,
      hint,
      said: commandHint(new IbidError('INVALID_ARGUMENT', '', { hint }))!,
    }));
    const left = told.flatMap(({ file, said }) =>
      [...said.matchAll(/`([^`]+)`/g)]
        .map(([, word]) => word!)
        .filter((word) => !/^(ibid |--)/.test(word) && !alike.test(word))
        .map((word) => `${file}: ${word}`),
    );
    expect(left).toEqual([]);
    expect(told.filter(({ hint, said }) => hint !== said).length).toBeGreaterThan(15);
  });

  it('translate nothing that the library no longer says', () => {
    const all = files.map((file) => readFileSync(join(src, file), 'utf8')).join('\n');
    expect(commandWords.map(([library]) => library).filter((library) => !all.includes(library))).toEqual([]);
  });

  it('say whose key is wanted', () => {
    const missing = (message: string): string | undefined => commandHint(new IbidError('KEY_MISSING', message));
    expect(missing('searching the web needs a key for the search service')).toBe(howToSet(searchService));
    expect(missing('reranking needs the messages service')).toBe(howToSet(messagesService));
    const noAddress = new IbidError('INVALID_ARGUMENT', '', { hint: 'Set IBID_SEARCH_BASE_URL to the https address.' });
    expect(commandHint(noAddress)).toContain(searchService.address);
  });
});

it('the live services are those of the official clients', () => {
  const environments = createRequire(import.meta.url)('@elevenlabs/elevenlabs-js') as {
    ElevenLabsEnvironment: { Production: { base: string } | string };
  }; // the package's documented export
  const { Production: audio } = environments.ElevenLabsEnvironment;
  const addresses = [
    [searchService.product, new Search({ apiKey: 'none' }).baseURL],
    [messagesService.product, new Messages({ apiKey: 'none' }).baseURL],
    [audioService.product, typeof audio === 'string' ? audio : audio.base],
  ];
  expect(addresses).toEqual(
    [searchService, messagesService, audioService].map(({ product, address }) => [product, address]),
  );
});
