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
};

/** The name of a code page in the Encoding Standard; undefined for one that has no decoder. */
export function labelOfPage(page: number): string | undefined {
  return knownLabel(`windows-${page}`) ?? NAMES[page];
}
