import { argumentAt } from './tex-arguments.ts';

/** A slide as a command, and what is shown on some steps of a slide alone: `\only<2->{`. */
const OPENS =
  /^\s*\\(?:frame(?=\s*[<[{])|(?:only|uncover|visible|onslide|action|alert)(?=\s*<))\s*(?:<[^>]*>|\[[^\]]*\])*\s*(?=\{)/;
/** Its brace stands in the next line. */
const ANNOUNCES = /^\s*\\frame\s*(?:<[^>]*>|\[[^\]]*\])*\s*(?:%.*)?$/;
const SUBTITLE = /^\s*\\framesubtitle\s*(?:<[^>]*>)?(?=\{)/;

/** Takes the commands of beamer that hold whole lines away, with the braces that end them. Each line stays a line. */
export class SlideBraces {
  /** How many braces stand open where each of the commands began. */
  readonly #open: number[] = [];
  #depth = 0;
  #isAnnounced = false;

  /** Asked of all lines, first to last. */
  read(line: string): string {
    const subtitle = SUBTITLE.exec(line);
    if (subtitle) {
      const said = argumentAt(line, subtitle[0].length);
      if (said.text !== '') return this.#close(said.text + line.slice(said.end));
    }
    if (ANNOUNCES.test(line)) {
      this.#isAnnounced = true;
      return '';
    }
    const opens = OPENS.exec(line) ?? (this.#isAnnounced ? /^\s*(?=\{)/.exec(line) : null);
    this.#isAnnounced = false;
    if (!opens) return this.#close(line);
    const whole = argumentAt(line, opens[0].length);
    if (whole.text !== '') return this.read(whole.text + line.slice(whole.end));
    this.#open.push(this.#depth++);
    return this.read(line.slice(opens[0].length + 1));
  }

  #close(line: string): string {
    if (this.#open.length === 0) return line;
    let kept = '';
    for (let at = 0; at < line.length; at++) {
      const sign = line[at]!;
      if (sign === '\\') {
        kept += sign + (line[++at] ?? '');
        continue;
      }
      if (sign === '%') return kept + line.slice(at);
      if (sign === '{') this.#depth++;
      if (sign === '}' && --this.#depth === this.#open.at(-1)) this.#open.pop();
      else kept += sign;
    }
    return kept;
  }
}
