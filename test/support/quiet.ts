import { afterAll, afterEach, beforeAll } from 'vitest';

const methods = ['debug', 'dir', 'error', 'info', 'log', 'table', 'trace', 'warn'] as const;

/** Lines printed since the last look, of the whole process: test files may share one. */
const shared = globalThis as { ibidPrinted?: string[] }; // a name of ours alone
if (!shared.ibidPrinted) {
  shared.ibidPrinted = [];
  watch(shared.ibidPrinted);
}

function watch(printed: string[]): void {
  const record = (where: string, what: unknown): void => {
    printed.push(`${where}: ${String(what).trimEnd()}`);
  };
  for (const name of methods) {
    const print = console[name].bind(console) as (...words: unknown[]) => void; // eight signatures
    console[name] = (...words: unknown[]) => {
      record(`console.${name}`, words.join(' '));
      print(...words);
    };
  }
  for (const name of ['stdout', 'stderr'] as const) {
    const write = process[name].write.bind(process[name]) as (...given: unknown[]) => boolean; // three signatures
    process[name].write = (...given: unknown[]) => {
      if (String(given[0]) !== '') record(`process.${name}`, given[0]);
      return write(...given);
    };
  }
  process.on('warning', (warning) => record('warning', warning));
}

/** What was printed since the last look. */
export function takePrinted(): readonly string[] {
  return shared.ibidPrinted!.splice(0);
}

function mustBeQuiet(): void {
  const lines = takePrinted();
  if (lines.length > 0) throw new Error(`printed, and nobody asked:\n${lines.join('\n')}`);
}

beforeAll(mustBeQuiet); // while the test file was loaded
afterEach(mustBeQuiet);
afterAll(mustBeQuiet);
