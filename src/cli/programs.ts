import { execFile } from 'node:child_process';
import type { Finding } from '../index.ts';
import { programEnvironment } from './environment.ts';

const TIMEOUT_MS = 20_000;

/** Programs of the machine that read what the project does not read itself: each may be missing. */
const programs: readonly {
  readonly name: string;
  /** Makes it say little and end. */
  readonly args: readonly string[];
  readonly uses: string;
  readonly packageName: string;
  /** What of its output is worth telling. */
  readonly tell: (output: string) => string;
}[] = [
  {
    name: 'tesseract',
    args: ['--list-langs'],
    uses: 'scans and pictures',
    packageName: 'tesseract-ocr',
    tell: (output) => `reads ${languagesIn(output).join(', ') || 'no language: a model of one is missing'}`,
  },
  {
    name: 'pdftoppm',
    args: ['-v'],
    uses: 'scanned pages of PDF files',
    packageName: 'poppler-utils',
    tell: () => 'is there',
  },
  {
    name: 'ffmpeg',
    args: ['-version'],
    uses: 'recordings other than WAV, cut for a transcriber',
    packageName: 'ffmpeg',
    tell: () => 'is there',
  },
];

/** Whether each is there, and what for. */
export async function programFindings(signal: AbortSignal): Promise<readonly Finding[]> {
  return await Promise.all(
    programs.map(async ({ name, args, uses, packageName, tell }) => {
      const output = await outputOf(name, args, signal);
      const detail =
        output === undefined ? `not found; for ${uses}. Install it (apt-get install ${packageName}).` : tell(output);
      return { check: name, ok: true, detail };
    }),
  );
}

/** Undefined where there is no such program. Old ones end `-v` as a failure. @throws the signal's reason */
async function outputOf(name: string, args: readonly string[], signal: AbortSignal): Promise<string | undefined> {
  const options = { env: programEnvironment(), timeout: TIMEOUT_MS, windowsHide: true, signal };
  return await new Promise((resolve, reject) => {
    execFile(name, args, options, (error, stdout) => {
      if (signal.aborted) reject(signal.reason);
      else resolve(typeof error?.code === 'string' ? undefined : stdout);
    });
  });
}

/** Models that find the direction of a page, and formulas. */
const noLanguages: ReadonlySet<string> = new Set(['osd', 'equ', 'snum']);

/** One on each line below the first. */
function languagesIn(output: string): string[] {
  const lines = output.trim().split(/\r?\n/).slice(1);
  return lines.map((line) => line.trim()).filter((name) => name !== '' && !noLanguages.has(name));
}
