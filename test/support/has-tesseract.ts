import { execFileSync } from 'node:child_process';

function output(program: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync(program, args, { stdio: ['ignore', 'pipe', 'ignore'] }).toString();
  } catch {
    return undefined;
  }
}

const listed = output('tesseract', ['--list-langs']) ?? '';

/** The folder of tesseract's models; empty without tesseract. */
export const tesseractModels: string = /"(.+)"/.exec(listed)?.[1] ?? '';

/** Whether tesseract is there with its English, and what renders pages of PDFs. */
export const hasTesseract: boolean = /^eng$/m.test(listed) && output('pdftoppm', ['-v']) !== undefined;
