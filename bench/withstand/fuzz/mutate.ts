/** Changes a file along its structure: members of an archive, elements, objects, parts, fields, encodings. */
import { crc32, inflateRawSync } from 'node:zlib';
import type { Chance } from '../chance.ts';
import { type ZipMember, zipOf } from '../zip.ts';

export interface Mutated {
  readonly bytes: Buffer;
  /** What was done, for a person who reads a finding. */
  readonly did: readonly string[];
}

type Kind = 'zip' | 'pdf' | 'xml' | 'mail' | 'json' | 'lines' | 'text';

const kinds: Readonly<Record<string, Kind>> = {
  docx: 'zip',
  xlsx: 'zip',
  pptx: 'zip',
  odt: 'zip',
  ods: 'zip',
  odp: 'zip',
  epub: 'zip',
  pdf: 'pdf',
  html: 'xml',
  htm: 'xml',
  xml: 'xml',
  xhtml: 'xml',
  rels: 'xml',
  opf: 'xml',
  eml: 'mail',
  mbox: 'mail',
  json: 'json',
  ipynb: 'json',
  jsonl: 'json',
  ndjson: 'json',
  csv: 'lines',
  tsv: 'lines',
  srt: 'lines',
  vtt: 'lines',
  yaml: 'lines',
  yml: 'lines',
};

/** One to four changes, two thirds of them along the structure of the format. */
export function mutate(bytes: Buffer, name: string, chance: Chance): Mutated {
  const kind = kinds[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'text';
  const did: string[] = [];
  let now = bytes;
  for (let left = 1 + chance.below(4); left > 0; left--) {
    const way = chance.below(12);
    if (way === 0) now = note(did, 'encoding', recode(now, chance));
    else if (way < 4) now = note(did, 'bytes', rawChange(now, chance));
    else now = note(did, kind, byKind[kind](now, chance));
  }
  return { bytes: now, did };
}

function note(did: string[], what: string, bytes: Buffer): Buffer {
  did.push(what);
  return bytes;
}

const byKind: Readonly<Record<Kind, (bytes: Buffer, chance: Chance) => Buffer>> = {
  zip: changeZip,
  pdf: (bytes, chance) => onText(bytes, 'latin1', (text) => changePdf(text, chance)),
  xml: (bytes, chance) => onText(bytes, 'utf8', (text) => changeTags(text, chance)),
  mail: (bytes, chance) => onText(bytes, 'latin1', (text) => changeMail(text, chance)),
  json: (bytes, chance) => onText(bytes, 'utf8', (text) => changeJson(text, chance)),
  lines: (bytes, chance) => onText(bytes, 'utf8', (text) => changeLines(text, chance)),
  text: (bytes, chance) => onText(bytes, 'utf8', (text) => changeText(text, chance)),
};

function onText(bytes: Buffer, encoding: BufferEncoding, change: (text: string) => string): Buffer {
  return Buffer.from(change(bytes.toString(encoding)), encoding);
}

function span(length: number, chance: Chance, most = 200): readonly [number, number] {
  const from = chance.below(length + 1);
  return [from, Math.min(length, from + chance.below(most))];
}

function rawChange(bytes: Buffer, chance: Chance): Buffer {
  const [from, to] = span(bytes.length, chance);
  const [head, body, tail] = [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)];
  switch (chance.below(5)) {
    case 0:
      return Buffer.concat([head, tail]);
    case 1:
      return Buffer.concat([head, ...Array<Buffer>(1 + chance.below(20)).fill(body), tail]);
    case 2:
      return Buffer.from(head);
    case 3:
      return Buffer.concat([head, Buffer.from(Array.from(body, () => chance.below(256))), tail]);
    default: {
      const copy = Buffer.from(bytes);
      if (copy.length > 0) copy[chance.below(copy.length)]! ^= 1 << chance.below(8);
      return copy;
    }
  }
}

function recode(bytes: Buffer, chance: Chance): Buffer {
  const text = bytes.toString('utf8');
  switch (chance.below(6)) {
    case 0:
      return Buffer.from(`\ufeff${text}`, 'utf16le');
    case 1:
      return Buffer.from(text, 'utf16le');
    case 2:
      return swapped(Buffer.from(`\ufeff${text}`, 'utf16le'));
    case 3:
      return Buffer.from(text, 'latin1');
    case 4:
      return Buffer.concat([Buffer.from('\ufeff\ufeff'), bytes]);
    default:
      return Buffer.from(bytes.toString('latin1'), 'utf8'); // encoded twice
  }
}

const oddTexts: readonly string[] = [
  '',
  '\0',
  '\ufeff',
  '\u2028',
  '\r',
  '\ud83d',
  '&#xD800;',
  '&#0;',
  '&#x10FFFF;',
  '\u0301'.repeat(50),
  '👩\u200d'.repeat(20),
  '-1',
  '0',
  '1e308',
  '99999999999999999999',
  'NaN',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '%s%n',
  '"',
  "'",
  '<',
  ']]>',
  '-->',
  '\\',
  '\u202e',
  ' '.repeat(300),
  'a'.repeat(2000),
];

function changeText(text: string, chance: Chance): string {
  const [from, to] = span(text.length, chance);
  const odd = chance.of([
    ...oddTexts,
    '```',
    '---\n',
    '| a | b |\n|---|\n',
    '# ',
    '[x](',
    '<!--',
    '> '.repeat(50),
    '\t',
    '$$',
    '\\begin{',
  ]);
  const body = chance.below(2) === 0 ? odd : odd.repeat(1 + chance.below(200)) + text.slice(from, to);
  return text.slice(0, from) + body + text.slice(to);
}

/** Changes at the tags of a markup: taken away, twice, swapped, in each other, with other attributes. */
function changeTags(text: string, chance: Chance): string {
  const tags = [...text.matchAll(/<[^<>]{1,2000}>/g)];
  if (tags.length < 2) return changeText(text, chance);
  const one = chance.of(tags);
  const other = chance.of(tags);
  const [first, second] = one.index <= other.index ? [one, other] : [other, one];
  const [a, b] = [first.index, second.index];
  const replace = (by: string): string => text.slice(0, a) + by + text.slice(a + first[0].length);
  switch (chance.below(8)) {
    case 0:
      return replace('');
    case 1:
      return replace(first[0].repeat(2 + chance.below(500)));
    case 2:
      return replace(second[0]);
    case 3:
      return text.slice(0, b) + text.slice(a, b).slice(0, 50_000) + text.slice(b); // a part twice
    case 4:
      return text.slice(0, a) + text.slice(b);
    case 5:
      return replace(first[0].replace(/="[^"]*"/g, () => `="${chance.of(oddTexts).replaceAll('"', '')}"`));
    case 6:
      return replace(first[0] + chance.of(oddTexts));
    default:
      return replace(
        first[0].replace(
          /[\w:]+/,
          chance.of(['a', 'table', 'w:p', 'w:tbl', 'script', 'pre', 'svg', 'p:sp', 'row', 'c']),
        ),
      );
  }
}

/** Changes at the objects of a PDF: numbers, references, names, whole objects. */
function changePdf(text: string, chance: Chance): string {
  const pattern = chance.of([
    /\d+ \d+ R/g,
    /\/[A-Z][A-Za-z]+/g,
    /\b\d+\b/g,
    /\d+ \d+ obj[\s\S]{0,2000}?endobj/g,
    /\b(?:Tj|TJ|Tf|Td|Tm|Do|BT|ET|cm|q|Q)\b/g,
  ]);
  const found = [...text.slice(0, 4_000_000).matchAll(pattern)];
  if (found.length === 0) return changeText(text, chance);
  const one = chance.of(found);
  const by = chance.of([
    chance.of(found)[0],
    '',
    one[0].repeat(2),
    `${chance.below(50)} 0 R`,
    '-1',
    '2147483648',
    '[ [ [',
    '<< >>',
    '/Contents',
    '(',
  ]);
  return text.slice(0, one.index) + by + text.slice(one.index + one[0].length);
}

function changeMail(text: string, chance: Chance): string {
  const lines = text.split('\n');
  const at = chance.below(lines.length);
  const header = chance.of([
    'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r',
    'Content-Transfer-Encoding: base64\r',
    'Content-Transfer-Encoding: quoted-printable\r',
    'Content-Type: text/html; charset=utf-7\r',
    'Content-Type: text/plain; charset=x-unknown\r',
    'Content-Type: message/rfc822\r\n\r',
    'Content-Disposition: attachment; filename="a.docx"\r',
    'Subject: =?utf-8?b?//79?= =?x?q?=00?=\r',
    'Date: Thu, 99 Xyz 99999\r',
    '\r',
    '--b--\r',
    'From \r',
  ]);
  switch (chance.below(4)) {
    case 0:
      lines.splice(chance.below(Math.min(lines.length, 40)), 0, header);
      break;
    case 1:
      lines.splice(at, 0, header);
      break;
    case 2:
      lines.splice(at, 1 + chance.below(3));
      break;
    default:
      return changeText(text, chance);
  }
  return lines.join('\n');
}

function changeJson(text: string, chance: Chance): string {
  const tokens = [
    ...text.slice(0, 2_000_000).matchAll(/"(?:[^"\\]|\\.){0,500}"|[[\]{},:]|-?\d[\d.eE+-]*|true|false|null/g),
  ];
  if (tokens.length === 0) return changeText(text, chance);
  const one = chance.of(tokens);
  const by = chance.of([
    chance.of(tokens)[0],
    '',
    `${'['.repeat(1 + chance.below(5000))}`,
    `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`,
    '"\\ud800"',
    '"\\u0000"',
    '1e999',
    '-0',
    '123456789012345678901234567890',
    '{"__proto__":{"a":1}}',
    'null',
    '""',
    '//',
    '\n',
    one[0].repeat(3),
  ]);
  return text.slice(0, one.index) + by + text.slice(one.index + one[0].length);
}

function changeLines(text: string, chance: Chance): string {
  const lines = text.split('\n');
  const at = chance.below(lines.length);
  switch (chance.below(6)) {
    case 0:
      lines.splice(at, 1, ...Array<string>(2 + chance.below(300)).fill(lines[at]!));
      break;
    case 1:
      lines[at] = lines[at]!.replaceAll(',', chance.of([';', '\t', ',,,,', '|', '","']));
      break;
    case 2:
      lines[at] += chance.of(['"', ',"', '&a *a', ': [', ' --> ', '00:00:00,000 --> 99:99:99,999', ...oddTexts]);
      break;
    case 3:
      lines.splice(at, 1 + chance.below(5));
      break;
    case 4:
      lines[at] = ' '.repeat(chance.below(40)) + lines[at];
      break;
    default:
      return changeText(text, chance);
  }
  return lines.join('\n');
}

/** The members of an archive, as far as its local headers can be followed; stored or deflated. */
export function membersOf(bytes: Buffer): ZipMember[] {
  const members: ZipMember[] = [];
  for (let at = bytes.indexOf('PK\x01\x02', 'latin1'); at >= 0 && at + 46 <= bytes.length; ) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) break;
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ];
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const local = bytes.readUInt32LE(at + 42);
    try {
      const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
      const packed = bytes.subarray(from, from + bytes.readUInt32LE(at + 20));
      const stored = bytes.readUInt16LE(at + 10) === 0;
      members.push({ name, bytes: stored ? packed : inflateRawSync(packed, { maxOutputLength: 2 ** 24 }), stored });
    } catch {} // changed before: the member goes
    at += 46 + nameLength + extraLength + commentLength;
  }
  return members;
}

function changeZip(bytes: Buffer, chance: Chance): Buffer {
  const members = membersOf(bytes);
  if (members.length === 0) return rawChange(bytes, chance);
  const at = chance.below(members.length);
  const member = members[at]!;
  const content = Buffer.from(member.bytes as Uint8Array); // as `membersOf` made it
  switch (chance.below(8)) {
    case 0:
      members.splice(at, 1);
      break;
    case 1:
      members.push({ ...member, name: chance.of(members).name });
      break;
    case 2:
      members[at] = { ...member, name: chance.of(['a', '../a', `${member.name}/`, member.name.toUpperCase(), '']) };
      break;
    case 3: {
      // sizes and sums that lie
      const whole = Buffer.concat([...zipOf(members)]);
      const entry = whole.lastIndexOf('PK\x01\x02', undefined, 'latin1');
      if (entry < 0 || entry + 46 > whole.length) return whole; // no entry is left
      whole.writeUInt32LE(chance.of([0, 1, 0xffffffff, crc32(content)]), entry + chance.of([16, 20, 24, 42]));
      return whole;
    }
    default: {
      const readable = members.filter(({ name }) => /\.(xml|rels|xhtml|html|opf)$/.test(name));
      const text = readable.length > 0 && chance.below(5) > 0 ? chance.of(readable) : member;
      const changed = onText(Buffer.from(text.bytes as Uint8Array), 'utf8', (source) => changeTags(source, chance)); // as above
      members[members.indexOf(text)] = { ...text, bytes: changed };
    }
  }
  return Buffer.concat([...zipOf(members)]);
}

/** UTF-16 with the high byte first, and one byte short: the end of a file that was cut. */
function swapped(bytes: Buffer): Buffer {
  return bytes.swap16().subarray(0, -1);
}
