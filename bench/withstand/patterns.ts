/**
 * Asks `recheck` for a text that makes each regular expression of `src` slow, and matches the pattern against it.
 *
 *   npm run patterns -- [--only PART] [--characters 4000] [--seconds 1] [--patience 4] [--out run.json]
 *
 * The patterns are those written in the files, and those made while the modules load. PART is a part of the name of a
 * file. A text has as many characters as the longest question of a server: `--characters`. `--seconds` is the longest
 * time that one match may take, `--patience` the longest search for a text, in seconds. A run takes about five minutes.
 * Needs `npm run bench:install`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { loadAlternative } from '../alternatives/load.ts';
import { readFlags } from '../support/flags.ts';
import { alternativeVersion, beginRun, type TrialFinding } from '../support/run-file.ts';
import { stopAfter } from '../support/stop.ts';
import { reportTrials } from '../support/trials.ts';

interface Pattern {
  readonly source: string;
  readonly flags: string;
  /** `read/detect.ts`, or the module that makes it. */
  readonly file: string;
}

/** What the two packages give; they bring types for other settings of the compiler. */
interface Recheck {
  check(
    source: string,
    flags: string,
    options: { readonly timeout: number },
  ): Promise<{ readonly status: string; readonly attack?: { readonly pattern: string } }>;
}
interface Acorn {
  parse(code: string, options: object): unknown;
}
interface Token {
  readonly value?: { readonly pattern?: string; readonly flags?: string };
}

const root = join(import.meta.dirname, '../../src');

function written(acorn: Acorn, file: string): Pattern[] {
  const code = stripTypeScriptTypes(readFileSync(join(root, file), 'utf8'));
  const tokens: Token[] = [];
  acorn.parse(code, { ecmaVersion: 'latest', sourceType: 'module', onToken: tokens });
  return tokens.flatMap(({ value }) =>
    typeof value?.pattern === 'string' ? [{ source: value.pattern, flags: value.flags ?? '', file }] : [],
  );
}

/** Patterns that modules make of lists of words while they load. */
async function made(): Promise<Pattern[]> {
  const found: Pattern[] = [];
  const native = globalThis.RegExp;
  globalThis.RegExp = new Proxy(native, {
    construct(target, given: [string, string?], self) {
      const pattern = Reflect.construct(target, given, self) as RegExp;
      const file = /\/src\/([\w/-]+\.ts):/.exec(new Error('made').stack ?? '')?.[1];
      if (file !== undefined) found.push({ source: pattern.source, flags: pattern.flags, file });
      return pattern;
    },
  });
  try {
    for (const entry of readdirSync(root)) if (entry.endsWith('.ts')) await import(join(root, entry));
  } finally {
    globalThis.RegExp = native;
  }
  return found;
}

const matcher = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', ({ source, flags, text }) => {
    const pattern = new RegExp(source, flags);
    const start = performance.now();
    if (pattern.global) text.replace(pattern, '');
    else pattern.test(text);
    parentPort.postMessage(performance.now() - start);
  });`;

/** Matches in a thread that is ended where it takes too long. @returns ms; undefined where it was ended */
class Matcher {
  #thread = new Worker(matcher, { eval: true });

  async time(pattern: Pattern, text: string, limitMs: number): Promise<number | undefined> {
    const thread = this.#thread;
    const { source, flags } = pattern;
    return await new Promise<number | undefined>((resolve) => {
      const timer = setTimeout(() => {
        void thread.terminate();
        this.#thread = new Worker(matcher, { eval: true });
        resolve(undefined);
      }, limitMs);
      thread.once('message', (ms: number) => {
        clearTimeout(timer);
        resolve(ms);
      });
      thread.postMessage({ source, flags, text });
    });
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }
}

const { values } = readFlags(import.meta.filename, {
  options: {
    only: { type: 'string', default: '' },
    characters: { type: 'string', default: '4000' },
    seconds: { type: 'string', default: '1' },
    patience: { type: 'string', default: '4' },
    out: { type: 'string' },
  },
});
const [characters, seconds, patience] = [values.characters, values.seconds, values.patience].map(Number) as [
  ...[number, number, number],
];
const run = beginRun({ kind: 'trials', command: `npm run patterns -- --characters=${characters}` });
if (alternativeVersion('recheck') === undefined) {
  reportTrials(run, { sets: [], skipped: [{ what: 'patterns', reason: 'npm run bench:install' }] }, values.out);
} else {
  const { check } = (await loadAlternative('recheck')) as Recheck;
  const acorn = (await loadAlternative('acorn')) as Acorn;
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const all = [...files.flatMap((file) => written(acorn, file)), ...(await made())].filter(({ file }) =>
    file.includes(values.only),
  );
  const patterns = [...new Map(all.map((one) => [`/${one.source}/${one.flags}`, one]))];
  const stop = stopAfter(60);
  const matches = new Matcher();
  const findings: TrialFinding[] = [];
  let [tried, attacked, unknown, longest] = [0, 0, 0, 0];
  for (const [text, pattern] of patterns) {
    if (stop.reason !== undefined) break;
    tried++;
    if (tried % 200 === 0) process.stderr.write(`${tried} of ${patterns.length}\n`);
    const { status, attack } = await check(pattern.source, pattern.flags, { timeout: patience * 1000 });
    if (status === 'unknown') unknown++;
    if (!attack) continue;
    attacked++;
    // an expression of strings that are repeated
    const attacking = String(Function(`return ${attack.pattern}`)()).slice(0, characters);
    const ms = await matches.time(pattern, attacking, seconds * 1000);
    longest = Math.max(longest, ms ?? seconds * 1000);
    if (ms !== undefined) continue;
    const what = `${pattern.file}: ${text} takes longer than ${seconds} s for ${attack.pattern.slice(0, 200)}`;
    findings.push({ what, command: `npm run patterns -- --only ${pattern.file}` });
  }
  await matches.close();
  const left = patterns.length - tried;
  reportTrials(
    run,
    {
      sets: [
        {
          name: 'texts that make a pattern slow',
          invariant: `A match takes at most ${seconds} s on a text of ${characters} characters.`,
          attempts: tried,
          figures: { 'with such a text': attacked, 'not decided': unknown, 'longest match, ms': Math.round(longest) },
          findings,
        },
      ],
      skipped: left > 0 ? [{ what: `${left} patterns`, reason: stop.reason ?? '' }] : [],
    },
    values.out,
  );
}
