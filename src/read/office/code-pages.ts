/** Code pages of Windows. */
import { knownLabel } from '../encoding.ts';

/** Those that are not called `windows-…`. */
const NAMES: Readonly<Record<number, string>> = {
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  874: 'windows-874',
  10000: 'macintosh',
  65001: 'utf-8',
  866: 'ibm866',
  20866: 'koi8-r',
  21866: 'koi8-u',
  50220: 'iso-2022-jp',
  51932: 'euc-jp',
  51949: 'euc-kr',
  54936: 'gb18030',
};

/** The name of a code page in the Encoding Standard; undefined for one that has no decoder. */
export function labelOfPage(page: number): string | undefined {
  // From 28591 on stand the parts of ISO 8859.
  return knownLabel(`windows-${page}`) ?? NAMES[page] ?? knownLabel(`iso-8859-${page - 28590}`);
}
