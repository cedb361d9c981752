/** Languages in which a backtick opens a string that may run over lines; elsewhere it quotes in comments. */
const templates = new Set(['javascript', 'typescript', 'vue', 'svelte', 'astro', 'go', 'd']);
/** Languages of braces whose comments begin with `#`. */
const hashes = new Set(['perl', 'php', 'r', 'awk', 'powershell', 'hcl', 'nix', 'graphql']);
/** Of these, the ones in which two slashes begin none. */
const noSlashes = new Set(['perl', 'r', 'awk', 'powershell']);
/** Opens no scope, and wraps all of a header. */
const linkage = /\bextern\s+"C(?:\+\+)?"\s*\{/g;

/** Brace depth at the start of lines, without strings, template strings and comments. Offsets must ascend. */
export class BraceScan {
  readonly #text: string;
  readonly #hasTemplates: boolean;
  readonly #hasHashes: boolean;
  readonly #hasSlashes: boolean;
  #at = 0;
  #depth = 0;
  /** End mark of the current block comment or template string, which may span lines. */
  #mode: '' | '*/' | '`' = '';
  /** Offset of that end mark. Kept, so that an end mark that does not exist is searched for only once. */
  #end = -1;

  constructor(text: string, language: string | undefined) {
    this.#text = text.replace(linkage, (mark) => ' '.repeat(mark.length));
    this.#hasTemplates = language === undefined || templates.has(language);
    this.#hasHashes = hashes.has(language ?? '');
    this.#hasSlashes = !noSlashes.has(language ?? '');
  }

  /** @param atMargin the line at `offset` cannot be nested: if the count differs, a quote or brace was misread */
  at(offset: number, atMargin: boolean): { depth: number; inside: boolean } {
    while (this.#at < offset) this.#step(offset);
    if (atMargin && this.#mode === '') this.#depth = 0;
    return { depth: this.#depth, inside: this.#mode !== '' };
  }

  /** Goes on behind text that is no code. */
  skip(offset: number): void {
    this.#at = Math.max(this.#at, offset);
  }

  #step(limit: number): void {
    const text = this.#text;
    if (this.#mode !== '') {
      if (this.#end < this.#at) {
        const found = text.indexOf(this.#mode, this.#at);
        this.#end = found === -1 ? text.length : found;
      }
      if (this.#end >= limit) {
        this.#at = limit;
        return;
      }
      const escaped = this.#mode === '`' && text[this.#end - 1] === '\\';
      this.#at = this.#end + (escaped ? 1 : this.#mode.length);
      if (!escaped) this.#mode = '';
      return;
    }
    const code = text.charCodeAt(this.#at++);
    if (code === 123) this.#depth++;
    else if (code === 125) this.#depth = Math.max(0, this.#depth - 1);
    else if (code === 47 && this.#hasSlashes) {
      const next = text.charCodeAt(this.#at);
      if (next === 47) this.#toLineEnd(limit);
      else if (next === 42) this.#mode = '*/';
    } else if (code === 35 && this.#hasHashes) {
      // `$#list` is none, and `#[Entity]` is code
      if (/^\s?#(?!\[)/.test(text.slice(Math.max(0, this.#at - 2), this.#at + 1))) this.#toLineEnd(limit);
    } else if (code === 96 && this.#hasTemplates) this.#mode = '`';
    else if (code === 34 || code === 39) this.#string(code, limit);
  }

  #toLineEnd(limit: number): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end === -1 || end > limit ? limit : end;
  }

  /** A string ends at its quote. Without one on its line it is no string, but an apostrophe or a lifetime. */
  #string(quote: number, limit: number): void {
    const text = this.#text;
    for (let at = this.#at; at < limit; at++) {
      const code = text.charCodeAt(at);
      if (code === 92) at++;
      else if (code === quote) {
        this.#at = at + 1;
        return;
      } else if (code === 10) return;
    }
  }
}
