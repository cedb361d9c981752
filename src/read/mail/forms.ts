/** Which form of a message is read, where it has its text in several. */
import { Parser } from 'htmlparser2';
import { decodeBytes } from '../encoding.ts';
import type { MimePart } from './mime.ts';

/** Longer plain forms are what they should be. */
const LONGEST_STUB = 1000;
const NOT_SHOWN = /^(?:style|script|title)$/;

/** The plain form unless it is empty or only says that the mail is HTML, else the last one. */
export function chooseForm(forms: readonly (readonly MimePart[])[]): readonly MimePart[] {
  const plain = forms.find((list) => list.every((part) => part.type.value === 'text/plain' && hasText(part)));
  const last = forms.at(-1) ?? [];
  return plain === undefined || saysLittleOf(plain, last) ? last : plain;
}

/** Mail that is HTML often has a plain form of blanks alone. */
function hasText(part: MimePart): boolean {
  const { text } = decodeBytes(part.content.subarray(0, 4096), part.type.parameters.charset);
  return /[^\s\p{Cf}\ufffd]/u.test(text);
}

/** Whether the other form has a text that is several times as long. */
function saysLittleOf(plain: readonly MimePart[], other: readonly MimePart[]): boolean {
  const size = wordChars(plain);
  return size < LONGEST_STUB && size * 3 < wordChars(other);
}

/** Letters and digits, without those of addresses. */
function wordChars(parts: readonly MimePart[]): number {
  let sum = 0;
  const count = (text: string): void => {
    sum += text.replace(/https?:\/\/\S+|[^\p{L}\p{N}]+/gu, '').length;
  };
  for (const { content, type } of parts) {
    const { text } = decodeBytes(content, type.parameters.charset);
    if (type.value === 'text/html') readShown(text, count);
    else count(text);
  }
  return sum;
}

function readShown(html: string, count: (text: string) => void): void {
  let hidden = 0;
  const parser = new Parser({
    onopentagname: (name) => {
      if (NOT_SHOWN.test(name)) hidden++;
    },
    ontext: (text) => {
      if (hidden === 0) count(text);
    },
    onclosetag: (name) => {
      if (NOT_SHOWN.test(name)) hidden--;
    },
  });
  parser.end(html);
}
