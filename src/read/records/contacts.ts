import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { type ContentLine, contentLines, partsOf, unescapeText } from './content-lines.ts';
import { MONTHS } from './recurrence.ts';

/** Property → what a reader calls it, with the words of questions: where somebody works, when they were born. */
const SHOWN: Readonly<Record<string, string>> = {
  NICKNAME: 'Nickname',
  ORG: 'Organisation',
  TITLE: 'Job title',
  ROLE: 'Role',
  TEL: 'Phone',
  EMAIL: 'Email',
  ADR: 'Address',
  LABEL: 'Label',
  BDAY: 'Birthday (born)',
  ANNIVERSARY: 'Anniversary',
  RELATED: 'Related',
  'X-ABRELATEDNAMES': 'Related',
  URL: 'Link',
  IMPP: 'Messages',
  'X-SOCIALPROFILE': 'Profile',
  CATEGORIES: 'Categories',
  MEMBER: 'Member',
  'X-ABDATE': 'Date',
  BIRTHPLACE: 'Place of birth',
  DEATHDATE: 'Died',
  DEATHPLACE: 'Place of death',
  GENDER: 'Gender',
  LANG: 'Language',
  EXPERTISE: 'Expertise',
  HOBBY: 'Hobby',
  INTEREST: 'Interest',
  TZ: 'Time zone',
  GEO: 'Coordinates',
  'X-SKYPE': 'Skype',
  'X-SKYPE-USERNAME': 'Skype',
  'X-JABBER': 'Jabber',
  'X-SPOUSE': 'Spouse',
  'X-MANAGER': 'Manager',
  'X-ASSISTANT': 'Assistant',
};
/** What the organisation is for a person; the card of an organisation names itself there. */
const WORKPLACE = 'Works at (organisation)';
/** Types by words of questions. */
const USES: Readonly<Record<string, string>> = { cell: 'mobile, cell', home: 'home, private' };
const PLACES: Readonly<Record<string, string>> = { home: 'home, lives at' };
/** Types that say nothing about the use. */
const PLAIN_TYPES = /^(?:internet|pref|voice|x-.*)$/i;

/** vCard → a heading for each contact, with what it says as lines. Photos and keys are left out. @see RFC 6350 */
export function parseContacts(source: string, context: Pick<ParseContext, 'name' | 'maxTextChars'>): ParsedDocument {
  const builder = new DocumentBuilder('vcf', context);
  let open: ContentLine[] | undefined;
  let outer: ContentLine[] | undefined;
  let contacts = 0;
  const close = (): void => {
    if (open === undefined) return;
    writeContact(builder, open);
    contacts++;
    open = undefined;
  };
  for (const line of contentLines(source)) {
    const isCard = line.value.trim().toUpperCase() === 'VCARD';
    if (line.name === 'BEGIN' && isCard) {
      // vCard 2.1 has the card of an agent inside another card, which goes on behind it.
      const last = open?.at(-1);
      if (last?.name === 'AGENT' && last.value.trim() === '') outer = open;
      else close(); // the card before has no end
      open = [line];
    } else if (line.name === 'END' && isCard) {
      close();
      [open, outer] = [outer, undefined];
    } else open?.push(line);
  }
  if (open !== undefined) builder.warn('CONTACTS_CUT', 'the last contact has no end: the file is cut short');
  close();
  open = outer;
  close();
  builder.metadata.contacts = contacts;
  return builder.build();
}

function writeContact(builder: DocumentBuilder, lines: readonly ContentLine[]): void {
  const first = (name: string): string => lines.find((line) => line.name === name)?.value ?? '';
  const [family = '', given = '', middle = '', before = '', after = ''] = partsOf(first('N'));
  const composed = [before, given, middle, family, after].filter((part) => part !== '').join(' ');
  const name = unescapeText(first('FN')) || composed || partsOf(first('ORG')).join(', ') || 'Contact';
  const place = { lines: [lines[0]!.lines[0], lines.at(-1)!.lines[1]] as const };
  builder.block({ kind: 'heading', level: 1 }, name.replace(/\s+/g, ' '), place);
  const named = new Map(lines.filter((line) => line.name === 'X-ABLABEL').map((line) => [line.group, line.value]));
  const isPerson = !/^(?:org|group|location)$/i.test(first('KIND').trim()) && partsOf(first('ORG')).join(', ') !== name;
  const facts = Object.entries(SHOWN).flatMap(([property, label]) =>
    lines
      .filter((line) => line.name === property && /[^\s;]/.test(line.value))
      .map((line) => {
        const shown = property === 'ORG' && isPerson ? WORKPLACE : label;
        return `${shown}${useOf(line, named.get(line.group))}: ${showValue(line)}`;
      }),
  );
  builder.block({ kind: 'record' }, facts.join('\n'), place);
  for (const note of lines.filter((line) => line.name === 'NOTE'))
    builder.block({ kind: 'paragraph' }, unescapeText(note.value), place);
}

/** @param called what its owner calls it; Apple writes its own names as `_$!<Anniversary>!$_` */
function useOf({ name, parameters, group }: ContentLine, called: string | undefined): string {
  const types = (parameters.TYPE ?? '').split(',').filter((type) => type !== '' && !PLAIN_TYPES.test(type));
  const uses = types.map((type) => (name === 'ADR' ? PLACES : USES)[type.toLowerCase()] ?? type.toLowerCase());
  if (group !== undefined && called !== undefined) uses.push(unescapeText(called).replace(/^_\$!<(.*)>!\$_$/, '$1'));
  return uses.length > 0 ? ` (${uses.join(', ')})` : '';
}

const DAYS = new Set(['BDAY', 'ANNIVERSARY', 'DEATHDATE', 'X-ABDATE']);

/**
 * `19650228`, `--0228`, `1965-02` → `1965-02-28`, `28 February`, `February 1965`; other texts stay. Apple writes a year
 * that is not known as 1604. @see RFC 6350, 4.3
 */
function showDay(value: string, unknown: string | undefined): string {
  const [, date = '', time = ''] = /^([\d-]+)(T.*)?$/.exec(value.trim()) ?? [];
  const [, year, month = '', day] =
    /^(\d{4})-?(\d\d)-?(\d\d)$/.exec(date) ?? /^(\d{4})-(\d\d)$/.exec(date) ?? /^--()(\d\d)-?(\d\d)?$/.exec(date) ?? [];
  if (date === '' || /^-{2,}\d/.test(date) !== (year === '')) return unescapeText(value);
  const name = MONTHS[Number(month) - 1];
  if (name === undefined) return unescapeText(value);
  const isKnown = year !== '' && year !== unknown;
  const said =
    isKnown && day !== undefined
      ? `${year}-${month}-${day}`
      : [day && Number(day), name, isKnown ? year : undefined].filter((part) => part !== undefined).join(' ');
  const [, hour, minute, zone] = /^T(\d\d):?(\d\d)(?::?\d\d(?:\.\d+)?)?(Z|[+-]\d\d(?::?\d\d)?)?$/.exec(time) ?? [];
  if (hour === undefined || `${hour}${minute}` === '0000') return said;
  return `${said} ${hour}:${minute}${zone === undefined ? '' : zone === 'Z' ? ' UTC' : ` ${zone}`}`;
}

function showValue({ name, value, parameters }: ContentLine): string {
  if (DAYS.has(name)) return showDay(value, parameters['X-APPLE-OMIT-YEAR']);
  const isStructured = name === 'ADR' || name === 'ORG';
  const text = isStructured
    ? partsOf(value)
        .filter((part) => part !== '')
        .join(', ')
    : unescapeText(value);
  return text.replace(/^(?:tel|mailto):/i, '').replace(/\s+/g, ' ');
}
