import { known } from '../../core/known.ts';

/** Names of the standards that `.St` writes as short as options. @see mdoc(7) */

const NAMES: Readonly<Record<string, string>> = {
  ansiC: 'ANSI X3.159-1989 (“ANSI C89”)',
  'ansiC-89': 'ANSI X3.159-1989 (“ANSI C89”)',
  isoC: 'ISO/IEC 9899:1990 (“ISO C90”)',
  'isoC-90': 'ISO/IEC 9899:1990 (“ISO C90”)',
  'isoC-amd1': 'ISO/IEC 9899/AMD1:1995 (“ISO C90, Amendment 1”)',
  'isoC-tcor1': 'ISO/IEC 9899/TCOR1:1994 (“ISO C90, Technical Corrigendum 1”)',
  'isoC-tcor2': 'ISO/IEC 9899/TCOR2:1995 (“ISO C90, Technical Corrigendum 2”)',
  'isoC-99': 'ISO/IEC 9899:1999 (“ISO C99”)',
  'isoC-2011': 'ISO/IEC 9899:2011 (“ISO C11”)',
  'isoC-2023': 'ISO/IEC 9899:2023 (“ISO C23”)',
  ieee754: 'IEEE Std 754-1985',
  'ieee1275-94': 'IEEE Std 1275-1994 (“Open Firmware”)',
  iso8601: 'ISO 8601',
  'iso8802-3': 'ISO 8802-3: 1989',
  'iso9945-1-90': 'ISO/IEC 9945-1:1990 (“POSIX.1”)',
  'iso9945-1-96': 'ISO/IEC 9945-1:1996 (“POSIX.1”)',
  'iso9945-2-93': 'ISO/IEC 9945-2:1993 (“POSIX.2”)',
  'p1003.1-96': 'ISO/IEC 9945-1:1996 (“POSIX.1”)',
  'p1003.1b': 'IEEE Std 1003.1b-1993 (“POSIX.1b”)',
  svid4: 'System V Interface Definition, Fourth Edition (“SVID4”)',
};

/** Parts of the guides of X/Open. */
const GUIDES: Readonly<Record<string, string>> = {
  xpg: 'X/Open Portability Guide',
  xbd: 'X/Open Base Definitions',
  xcu: 'X/Open Commands and Utilities',
  xsh: 'X/Open System Interfaces and Headers',
  xns: 'X/Open Networking Services',
  xcurses: 'X/Open Curses',
};

/** @param option as `-p1003.1-2008`. @returns the name of the standard; of another one what is written, without the hyphen */
export function standardName(option: string): string {
  const key = option.replace(/^-/, '');
  const named = known(NAMES, key);
  if (named !== undefined) return named;
  const [, part, letter = '', year] = /^p1003\.([12])([a-z]?)(?:-(\d{2}|\d{4}))?$/.exec(key) ?? [];
  if (part !== undefined) {
    const whole = year === undefined ? '' : `-${year.length === 2 ? `19${year}` : year}`;
    return `IEEE Std 1003.${part}${letter}${whole} (“POSIX.${part}${part === '1' ? letter : ''}”)`;
  }
  const version = /^susv(\d)$/.exec(key)?.[1];
  if (version !== undefined) return `Version ${version} of the Single UNIX Specification (“SUSv${version}”)`;
  const [, guide = '', issue, sub] = /^(x[a-z]+)(\d)(?:\.(\d))?$/.exec(key) ?? [];
  const title = known(GUIDES, guide);
  if (title === undefined) return key;
  const short = key.toUpperCase();
  return `${title} Issue ${issue}${sub === undefined ? '' : `, Version ${sub}`} (“${short}”)`;
}
