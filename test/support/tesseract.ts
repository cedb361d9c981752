/** A stand-in that speaks tesseract's command line and prints its tables, for tests where the program is not there. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface StandIn {
  readonly program: string;
  /** Each start but those that list languages, in order. */
  calls(): readonly { readonly args: string[]; readonly environment: string[]; readonly input: string }[];
}

/** The table of one page, as tesseract 5 prints it. Paragraphs of lines of words; each word 80 × 20 dots. */
export function table(paragraphs: readonly (readonly string[])[], confidence = 96.5): string {
  const rows = [
    'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext',
    '1\t1\t0\t0\t0\t0\t0\t0\t1000\t2000\t-1\t',
  ];
  let top = 100;
  for (const [p, lines] of paragraphs.entries()) {
    rows.push(
      `2\t1\t${p + 1}\t0\t0\t0\t100\t${top}\t800\t200\t-1\t`,
      `3\t1\t${p + 1}\t1\t0\t0\t100\t${top}\t800\t200\t-1\t`,
    );
    for (const [l, line] of lines.entries()) {
      rows.push(`4\t1\t${p + 1}\t1\t${l + 1}\t0\t100\t${top}\t800\t20\t-1\t`);
      for (const [w, word] of line.split(' ').entries())
        rows.push(`5\t1\t${p + 1}\t1\t${l + 1}\t${w + 1}\t${100 + 100 * w}\t${top}\t80\t20\t${confidence}\t${word}`);
      top += 40;
    }
    top += 60;
  }
  return `${rows.join('\n')}\n`;
}

/**
 * Writes the program into a folder.
 * @param answers tables, one for each start; the last is repeated; `sleep` never answers, `fail` ends with status 1
 */
export function standInTesseract(
  folder: string,
  answers: readonly string[],
  languages: readonly string[] = ['eng', 'osd'],
): StandIn {
  const program = join(folder, 'tesseract');
  const log = join(folder, 'calls.jsonl');
  writeFileSync(
    program,
    `#!${process.execPath}
const fs = require('node:fs');
if (process.argv.includes('--list-langs')) {
  console.log('List of available languages in "/usr/share/tesseract-ocr/5/tessdata/" (${languages.length}):');
  for (const name of ${JSON.stringify(languages)}) console.log(name);
  process.exit(0);
}
const input = fs.readFileSync(0);
const before = fs.existsSync(${JSON.stringify(log)}) ? fs.readFileSync(${JSON.stringify(log)}, 'utf8').split('\\n').length - 1 : 0;
fs.appendFileSync(${JSON.stringify(log)}, JSON.stringify({ args: process.argv.slice(2), environment: Object.keys(process.env).sort(), input: input.subarray(0, 20).toString('latin1') }) + '\\n');
const answers = ${JSON.stringify(answers)};
const answer = answers[Math.min(before, answers.length - 1)];
if (answer === 'sleep') setTimeout(() => {}, 60_000);
else if (answer === 'fail') { console.error('Error during processing.'); process.exit(1); }
else process.stdout.write(answer);
`,
  );
  chmodSync(program, 0o755);
  return {
    program,
    calls: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .split('\n')
            .slice(0, -1) // the last one may be half written
            .map((line) => JSON.parse(line))
        : [],
  };
}
