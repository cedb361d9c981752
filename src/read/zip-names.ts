/** Names in ZIP archives that say no encoding: Windows writes them in the code page of its country. */
import { isUtf8 } from 'node:buffer';
import { decodeDos } from './dos.ts';

/** Latin names have letters beyond ASCII one by one, or two. */
const WORD = /[\x80-\xff]{3}/;

interface CodePage {
  readonly encoding: string;
  /** What a name in it consists of. */
  readonly likely: RegExp;
  /** Pairs of bytes of signs that are seldom used. */
  readonly rare?: RegExp;
}

const PAGES: readonly CodePage[] = [
  { encoding: 'ibm866', likely: /^(?:[\0-\x7f№]|\p{Ll}|(?<!\p{Ll})\p{Lu})+$/u },
  {
    encoding: 'shift_jis',
    likely: /^[\0-\x7f\u3000-\u3002\u300c-\u3011\u3041-\u30ff\u4e00-\u9fff\uff01-\uff5e]+$/,
    rare: /^[\x98-\x9f\xe0-\xfc]/,
  },
  // Two signs are as well Chinese.
  { encoding: 'euc-kr', likely: /^(?=(?:[\0-\x7f]*[\uac00-\ud7a3]){3})[\0-\x7f\uac00-\ud7a3]+$/ },
  {
    encoding: 'gbk',
    likely: /^[\0-\x7f\u3000-\u3011\u2014-\u201d\u4e00-\u9fff\uff01-\uff5e]+$/,
    rare: /^(?:[\xd8-\xfe]|[\x81-\xa0]|.[\x40-\xa0])/,
  },
  { encoding: 'big5', likely: /^[\0-\x7f\u3000-\u3011\u4e00-\u9fff\uff01-\uff5e]+$/, rare: /^[\xc7-\xfe]/ },
];

/**
 * Decodes names of one archive: UTF-8, also where no flag says so, else the code page in which all of them are likely,
 * else that of the first PCs.
 */
export function decodeNames(names: readonly Uint8Array[]): string[] {
  const others = names.filter((name) => !isUtf8(name));
  const page = others.some(isForeign) ? PAGES.find((each) => isLikely(others, each)) : undefined;
  return names.map((name) => {
    if (isUtf8(name)) return new TextDecoder().decode(name);
    return page ? new TextDecoder(page.encoding).decode(name) : decodeDos(name, 'ibm437')!;
  });
}

function isForeign(name: Uint8Array): boolean {
  return WORD.test(Buffer.from(name).toString('latin1'));
}

/** At most one sign in five is rare. */
const RARE_SHARE = 5;

function isLikely(names: readonly Uint8Array[], { encoding, likely, rare }: CodePage): boolean {
  let seldom = 0;
  let all = 0;
  for (const name of names) {
    try {
      if (!likely.test(new TextDecoder(encoding, { fatal: true }).decode(name))) return false;
    } catch {
      return false;
    }
    const pairs =
      Buffer.from(name)
        .toString('latin1')
        .match(/[\x80-\xff][\0-\xff]/g) ?? [];
    all += pairs.length;
    seldom += rare ? pairs.filter((pair) => rare.test(pair)).length : 0;
  }
  return seldom * RARE_SHARE <= all;
}
