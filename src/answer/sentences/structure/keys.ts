import type { Span } from '../../../core/types.ts';
import { modifierKey, sameKey } from '../../../text/languages/key-names.ts';

const named =
  '(?:page ?(?:up|down)|arrow (?:left|right|up|down|keys?)|(?:left|right|up|down) arrow|mouse \\p{L}+|\\p{L}+)';
/** `Ctrl+Shift+M`, `Shift + O`, `Ctrl Shift + C`, `Home+Shift`; a key of functions stands alone as well. */
const pressed = new RegExp(
  `(?<![\\p{L}\\p{N}+-])(?:(?:${modifierKey}(?:\\s*\\+\\s*|-(?=(?:F\\d{1,2}|\\p{L}|\\p{N}|${modifierKey})(?![\\p{L}\\p{N}]))|\\s+(?=${modifierKey}\\s*\\+)))+(?:F\\d{1,2}|${named}|\\p{N}|[^\\s\\p{L}\\p{N}|])` +
    `|(?:home|end|del|tab)(?=\\s*\\+\\s*${modifierKey}))(?:\\s*\\+\\s*${modifierKey})*(?![\\p{L}\\p{N}])` +
    '|(?<![\\p{L}\\p{N}+.-])F(?:[1-9]|1\\d|2[0-4])(?![\\p{L}\\p{N}-]|[./]\\p{N}|\\s*\\+)',
  'giu',
);
const capitalF = /^(?!f\d)/u;

/** Keys that are pressed together, in one writing whatever their order. */
export interface Keys extends Span {
  readonly name: string;
}

/** The combinations and keys of functions in a text, as they come. */
export function keysIn(text: string): Keys[] {
  return Array.from(text.matchAll(pressed))
    .filter(([one]) => capitalF.test(one))
    .map(({ 0: one, index }) => ({ name: nameOf(one), start: index, end: index + one.length }));
}

function nameOf(written: string): string {
  // the last sign may be the key `+` or `-`
  const parts = (written.match(/[\p{L}\p{N} ]+|[^\s\p{L}\p{N}]$|[^\s\p{L}\p{N}+-]/gu) ?? [])
    .flatMap((part) =>
      new RegExp(`^\\s*${modifierKey}\\s+${modifierKey}`, 'iu').test(part) ? part.trim().split(/\s+/) : [part],
    )
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '')
    .map((part) => sameKey[part] ?? part.replace(/\barrow\b|\s/g, ''));
  return [...new Set(parts)].sort().join('+');
}

const single =
  '(?:\\p{Lu}|[^\\s\\p{L}\\p{N}"\'“”‘’.,;:!?()|]|Ins(?:ert)?|Del(?:ete)?|Home|End|Tab|Esc(?:ape)?|Enter|Return|Space(?:bar)?|Backspace|Page ?(?:Up|Down))(?![\\p{L}\\p{N}])';
/** `press F`, `hotkey E`, `the C key`, `M: Move` */
const pressedAlone = new RegExp(
  `(?<!\\p{L})(?:[Pp]ress(?:ing|es)?|[Hh]it(?:ting)?|[Hh]ot ?keys?|[Ss]hort-?cuts?|[Kk]eys?)\\s+(?:the\\s+)?["'“‘]?${single}|(?<![\\p{L}\\p{N}])${single}["'”’]?\\s+(?:hot ?)?key(?!\\p{L})|^[\\s*+•-]*${single}\\s*[:–—]\\s`,
  'u',
);
const byMouse = /(?:click|drag|mouse|wheel|scroll)/u;

/** Whether a text has keys to press: together, of functions, or one that is called a key. */
export function holdsKeys(text: string): boolean {
  return keysIn(text).some(({ name }) => !byMouse.test(name)) || pressedAlone.test(text);
}

const line = /^[\s>*+•-]*((?:[^\s>*+•-]|[>*+•-](?=\s*[:–—]))[^\n]{0,39}?)\s*(?::|–|—)\s+([^\n]+)/u;

/** A line that says what keys do: `Ctrl + I: Invert selection`, `F11: Full screen`, `M: Move`. */
export function keyLine(text: string): { readonly keys: string; readonly says: string } | undefined {
  const [, keys, says] = line.exec(text) ?? [];
  if (keys === undefined || says === undefined) return undefined;
  return keysIn(keys)[0]?.start === 0 || /^\p{Lu}$/u.test(keys) ? { keys, says } : undefined;
}
