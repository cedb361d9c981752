/**
 * Writes what is made rather than typed: the PDF, Word and Excel files of the demo collection, and the BEIR files of
 * its questions. Deterministic, so a test can tell that what is checked in is what this script makes.
 *
 *     node datasets/make-demo.ts
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { readFlags } from '../bench/support/flags.ts';

const here = import.meta.dirname;

type File = readonly [path: string, content: string | Uint8Array];

/** All made files, paths relative to `datasets/`. */
export async function makeFiles(): Promise<readonly File[]> {
  return [
    ['demo/reports/annual-report-2024.pdf', makePdf('Skerrow Sound Tidal Station: annual report 2024', annualReport)],
    ['demo/reports/blade-inspection-2025-04.docx', makeDocx('Blade inspection of Petrel, April 2025', bladeInspection)],
    ['demo/data/spare-parts.xlsx', makeXlsx(spareParts)],
    ...(await makeBeirFiles()),
  ];
}

const annualReport: readonly (readonly string[])[] = [
  [
    '# Annual report 2024',
    'Skerrow Sound Tidal Station, Brae Marine Institute',
    '',
    'The year in short',
    '',
    'In 2024 the station delivered 2,804 MWh to the grid.',
    'Gannet contributed 1,308.1 MWh and Petrel 1,495.9 MWh.',
    'Petrel, our second turbine, made its first turn on 14 March.',
    'A damaged export cable stopped both machines for nine days',
    'in November.',
    '',
    'Seventeen people worked at the station, five of them full time.',
    'Nobody was injured. There were two near misses, both on the boat.',
  ],
  [
    '# Money',
    'Running the station cost £1.46 million.',
    'The sale of electricity brought in £392,000.',
    'The grant of the Northern Isles Energy Fund was £640,000.',
    'The institute paid the rest.',
    '',
    'The largest single item was the hire of the barge Solan,',
    'which cost £171,000 for three campaigns.',
  ],
  [
    '# Outlook',
    'In 2025 we will change the bearings of Gannet, test three',
    'coatings against barnacles and close the tape archive.',
    '',
    'We have applied to extend the licence, which ends on',
    '30 September 2029, by ten years.',
    '',
    'Port Lorne, 31 January 2025',
    'Ailsa Munro',
  ],
];

const bladeInspection: readonly (string | readonly (readonly string[])[])[] = [
  '# Blade inspection of Petrel, April 2025',
  'Inspected by ROV and on deck from 3 to 8 April 2025, after the stop of 2 April. Author: Henrik Vold.',
  '# Findings',
  'Blades A and C show light wear that needs no repair.',
  'On blade B the leading edge is eroded over 14 mm at a radius of 7.2 metres. The glass fibre is not exposed.',
  [
    ['blade', 'erosion (mm)', 'radius (m)', 'verdict'],
    ['A', '2', '7.9', 'no action'],
    ['B', '14', '7.2', 'repaired with kit K7-KIT'],
    ['C', '3', '8.1', 'no action'],
  ],
  '# Repair',
  'The edge of blade B was rebuilt with the epoxy of repair kit K7-KIT and cured for 26 hours at 18 °C.',
  '# Next inspection',
  'All three blades are inspected again in October 2025.',
];

const spareParts: readonly { readonly name: string; readonly rows: readonly (readonly (string | number)[])[] }[] = [
  {
    name: 'Stock',
    rows: [
      ['part', 'description', 'stock', 'shelf', 'price GBP'],
      ['BR-90', 'bend restrictor for 90 mm cable', 1, 'container, row 2', 4150],
      ['PCH-MTR-22', 'pitch motor for Petrel', 2, 'A-14', 3280],
      ['SL-118', 'main shaft seal for Gannet', 1, 'A-03', 960],
      ['K7-KIT', 'epoxy repair kit for blade edges', 6, 'cold room', 145],
      ['OIL-320', 'gear oil ISO VG 320, 60 litres', 3, 'oil store', 410],
    ],
  },
  {
    name: 'On order',
    rows: [
      ['part', 'quantity', 'supplier', 'ordered', 'expected'],
      ['ENC-5', 3, 'Fjordglass AS', '2025-08-20', '2025-11-15'],
      ['SL-118', 1, 'Inverbrae Seals', '2025-09-01', '2025-12-01'],
    ],
  },
];

/** One Helvetica page per list of lines; a line with `# ` is a heading and an outline entry. */
export function makePdf(title: string, pages: readonly (readonly string[])[]): Uint8Array {
  const objects: string[] = [];
  const add = (body: string): number => objects.push(body);
  const text = (value: string): string => `(${value.replaceAll('£', '\\243').replace(/[()]/g, '\\$&')})`;
  add('<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R >>');
  const firstPage = 6;
  const kids = pages.map((_, i) => `${firstPage + 3 * i} 0 R`);
  add(`<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} >>`);
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  add(`<< /Title ${text(title)} /Author (Ailsa Munro) >>`);
  add(
    `<< /Type /Outlines /First ${firstPage + 2} 0 R /Last ${firstPage + 3 * pages.length - 1} 0 R /Count ${pages.length} >>`,
  );
  for (const [i, lines] of pages.entries()) {
    const id = firstPage + 3 * i;
    let stream = 'BT\n72 770 Td\n';
    for (const line of lines) {
      const heading = line.startsWith('# ');
      stream += `/F1 ${heading ? 20 : 11} Tf\n${text(heading ? line.slice(2) : line)} Tj\n0 ${heading ? -34 : -16} Td\n`;
    }
    stream += 'ET';
    const previous = i > 0 ? `/Prev ${id - 1} 0 R ` : '';
    const next = i < pages.length - 1 ? `/Next ${id + 5} 0 R ` : '';
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${id + 1} 0 R >>`,
    );
    add(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
    add(`<< /Title ${text(lines[0]!.slice(2))} /Parent 5 0 R ${previous}${next}/Dest [${id} 0 R /XYZ 0 842 0] >>`);
  }
  let file = '%PDF-1.4\n';
  const offsets = objects.map((body, i) => {
    const offset = file.length;
    file += `${i + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const escapeXml = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const relationships = 'http://schemas.openxmlformats.org/package/2006/relationships';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

function relations(entries: readonly (readonly [id: string, type: string, target: string])[]): string {
  const list = entries.map(([id, type, target]) => `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`);
  return `${xmlHead}<Relationships xmlns="${relationships}">${list.join('')}</Relationships>`;
}

function contentTypes(parts: readonly (readonly [name: string, type: string])[]): string {
  const list = parts.map(
    ([name, type]) => `<Override PartName="/${name}" ContentType="application/vnd.openxmlformats-${type}+xml"/>`,
  );
  return `${xmlHead}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${list.join('')}</Types>`;
}

/** Strings are paragraphs, `# ` makes a heading; a list of rows is a table. */
export function makeDocx(title: string, blocks: readonly (string | readonly (readonly string[])[])[]): Uint8Array {
  const paragraph = (value: string): string => {
    const heading = value.startsWith('# ');
    const style = heading ? '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' : '';
    return `<w:p>${style}<w:r><w:t xml:space="preserve">${escapeXml(heading ? value.slice(2) : value)}</w:t></w:r></w:p>`;
  };
  const body = blocks.map((block) => {
    if (typeof block === 'string') return paragraph(block);
    const rows = block.map((row) => `<w:tr>${row.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`);
    return `<w:tbl><w:tblPr/>${rows.join('')}</w:tbl>`;
  });
  const w = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  return makeZip([
    [
      '[Content_Types].xml',
      contentTypes([
        ['word/document.xml', 'officedocument.wordprocessingml.document.main'],
        ['word/styles.xml', 'officedocument.wordprocessingml.styles'],
        ['docProps/core.xml', 'package.core-properties'],
      ]),
    ],
    [
      '_rels/.rels',
      relations([
        ['rId1', `${office}/officeDocument`, 'word/document.xml'],
        [
          'rId2',
          'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties',
          'docProps/core.xml',
        ],
      ]),
    ],
    ['word/_rels/document.xml.rels', relations([['rId1', `${office}/styles`, 'styles.xml']])],
    ['word/document.xml', `${xmlHead}<w:document xmlns:w="${w}"><w:body>${body.join('')}</w:body></w:document>`],
    [
      'word/styles.xml',
      `${xmlHead}<w:styles xmlns:w="${w}"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style></w:styles>`,
    ],
    [
      'docProps/core.xml',
      `${xmlHead}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeXml(title)}</dc:title></cp:coreProperties>`,
    ],
  ]);
}

export function makeXlsx(sheets: typeof spareParts): Uint8Array {
  const strings: string[] = [];
  const cell = (value: string | number, column: number, row: number): string => {
    const reference = `${String.fromCharCode(65 + column)}${row + 1}`;
    if (typeof value === 'number') return `<c r="${reference}"><v>${value}</v></c>`;
    let at = strings.indexOf(value);
    if (at === -1) at = strings.push(value) - 1;
    return `<c r="${reference}" t="s"><v>${at}</v></c>`;
  };
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const parts = sheets.map(({ rows }, i): File => {
    const list = rows.map((row, y) => `<row r="${y + 1}">${row.map((value, x) => cell(value, x, y)).join('')}</row>`);
    return [
      `xl/worksheets/sheet${i + 1}.xml`,
      `${xmlHead}<worksheet xmlns="${main}"><sheetData>${list.join('')}</sheetData></worksheet>`,
    ];
  });
  const names = sheets.map(({ name }, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`);
  const stringsId = `rId${sheets.length + 1}`;
  return makeZip([
    [
      '[Content_Types].xml',
      contentTypes([
        ['xl/workbook.xml', 'officedocument.spreadsheetml.sheet.main'],
        ...parts.map(([name]) => [name, 'officedocument.spreadsheetml.worksheet'] as const),
        ['xl/sharedStrings.xml', 'officedocument.spreadsheetml.sharedStrings'],
      ]),
    ],
    ['_rels/.rels', relations([['rId1', `${office}/officeDocument`, 'xl/workbook.xml']])],
    [
      'xl/workbook.xml',
      `${xmlHead}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${names.join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relations([
        ...parts.map(([name], i) => [`rId${i + 1}`, `${office}/worksheet`, name.slice(3)] as const),
        [stringsId, `${office}/sharedStrings`, 'sharedStrings.xml'],
      ]),
    ],
    ...parts,
    [
      'xl/sharedStrings.xml',
      `${xmlHead}<sst xmlns="${main}" count="${strings.length}" uniqueCount="${strings.length}">${strings.map((value) => `<si><t>${escapeXml(value)}</t></si>`).join('')}</sst>`,
    ],
  ]);
}

/** Entries are stored, not deflated: the bytes must not depend on the version of zlib. */
function makeZip(files: readonly File[]): Uint8Array {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of files) {
    const name = Buffer.from(path);
    const data = Buffer.from(content);
    const fields = Buffer.alloc(26); // shared by both headers: version to extra length
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x800, 2); // names are UTF-8
    fields.writeUInt16LE(0x21, 8); // 1 January 1980
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(data.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const entry = Buffer.alloc(14); // comment length to offset of the local header
    entry.writeUInt32LE(offset, 10);
    local.push(Buffer.from('PK\x03\x04', 'latin1'), fields, name, data);
    central.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, entry, name);
    offset += 30 + name.length + data.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, directory, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

/** A line of `demo-questions/questions.jsonl`. */
export interface DemoQuestion {
  readonly id: string;
  readonly question: string;
  readonly lang: string;
  /** `lookalike` and `offtopic` have no answer in the collection. */
  readonly kind: 'fact' | 'number' | 'identifier' | 'table' | 'version' | 'procedure' | 'lookalike' | 'offtopic';
  readonly answerable: boolean;
  /** What a right answer says, briefly. */
  readonly answers: readonly string[];
  /** Where it stands, one of them being enough; each quote occurs once in its document. */
  readonly spans: readonly { readonly uri: string; readonly quote: string }[];
  /** Documents on the subject that do not hold the answer themselves, or hold an outdated one. */
  readonly related?: readonly string[];
}

async function makeBeirFiles(): Promise<File[]> {
  const source = await readFile(join(here, 'demo-questions', 'questions.jsonl'), 'utf8');
  const questions = source
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as DemoQuestion); // our own file; a test checks its fields
  const queries = questions.map(({ id, question, lang, kind, answerable }) =>
    JSON.stringify({ _id: id, text: question, metadata: { lang, kind, answerable } }),
  );
  const qrels = questions
    .filter(({ answerable }) => answerable)
    .flatMap(({ id, spans, related = [] }) => {
      const gold = [...new Set(spans.map(({ uri }) => uri))];
      return [...gold.map((uri) => `${id}\t${uri}\t2`), ...related.map((uri) => `${id}\t${uri}\t1`)];
    });
  return [
    ['demo-questions/queries.jsonl', `${queries.join('\n')}\n`],
    ['demo-questions/qrels/test.tsv', `query-id\tcorpus-id\tscore\n${qrels.join('\n')}\n`],
  ];
}

if (import.meta.main) {
  readFlags(import.meta.filename, {});
  for (const [path, content] of await makeFiles()) {
    await mkdir(dirname(join(here, path)), { recursive: true });
    await writeFile(join(here, path), content);
    console.log(path);
  }
}
