/** Files that are legal or nearly so, and are made to cost more than they weigh. */
import { docx, epub, ods, odsCell, odt, paragraph, pptx, xlsx, zipBomb } from './office.ts';
import { drawsItself, packedStream, pages, pdfOf, shown, stream } from './pdf.ts';
import { records } from './records.ts';

export interface Bomb {
  readonly name: string;
  /** Name of the file, which decides how it is read. */
  readonly file: string;
  pieces(size: Size): Iterable<string | Uint8Array>;
}

/** A number of the whole bomb, scaled: `size(1e6)` is a million at scale 1. */
export type Size = (whole: number) => number;

const words = 'The harbour master wrote every evening how high the water stood and which ships had come. ';

/** Text of about `chars` characters, a paragraph each kilobyte. */
function prose(chars: number): string {
  const paragraphs = Math.max(1, Math.round(chars / 1000));
  return Array.from({ length: paragraphs }, (_, i) => `Day ${i}. ${words.repeat(11)}`).join('\n\n');
}

/** The same text again and again, in pieces of about a megabyte. */
function* repeated(text: string, times: number): Generator<string> {
  const whole = Math.max(1, Math.ceil(2 ** 20 / text.length));
  const piece = text.repeat(whole);
  for (let left = times; left > 0; left -= whole) yield left >= whole ? piece : text.repeat(left);
}

/** @param line of a number */
function* lines(count: number, line: (i: number) => string): Generator<string> {
  const block = 10_000;
  for (let from = 0; from < count; from += block) {
    yield Array.from({ length: Math.min(block, count - from) }, (_, i) => `${line(from + i)}\n`).join('');
  }
}

/** A word for a number, all different: letters, so that no digits are cut off. */
function wordOf(i: number): string {
  let word = '';
  for (let n = i; word.length < 12; n = Math.floor(n / 20)) word += 'bcdfghjklmnpqrstvwxz'[n % 20]! + 'aeiou'[n % 5]!;
  return word;
}

const long = (size: Size, chars: number): string => 'endless '.repeat(Math.ceil(size(chars) / 8));
const bomb = (name: string, file: string, make: Bomb['pieces']): Bomb => ({ name, file, pieces: make });

const titles: Bomb[] = [
  bomb('mail: subject of 3 MB folded, body of 2.7 MB', 'subject.eml', function* (size) {
    yield 'From: a@example.org\r\nTo: b@example.org\r\nContent-Type: text/plain\r\nSubject: endless';
    yield* repeated('\r\n endless', Math.ceil(size(3e6) / 10));
    yield `\r\n\r\n${prose(size(2.7e6)).replaceAll('\n', '\r\n')}\r\n`;
  }),
  bomb('mail: address of 5 MB', 'address.eml', function* (size) {
    yield `From: ${long(size, 5e6)} <a@example.org>\r\nSubject: s\r\n\r\n${prose(size(1e6))}`;
  }),
  bomb('HTML: title of 10 MB', 'title.html', function* (size) {
    const body = prose(size(2e6)).replaceAll('\n\n', '<p>');
    yield `<html><head><title>${long(size, 1e7)}</title></head><body><p>${body}</body></html>`;
  }),
  bomb('Markdown: title of 10 MB in front matter', 'title.md', function* (size) {
    yield `---\ntitle: ${long(size, 1e7)}\n---\n\n${prose(size(2e6))}`;
  }),
  bomb('Markdown: heading of 10 MB', 'heading.md', function* (size) {
    yield `# Short\n\n## ${long(size, 1e7)}\n\n${prose(size(2e6))}`;
  }),
  bomb('Markdown: six headings of 1 MB in one path', 'path.md', function* (size) {
    for (let level = 1; level <= 6; level++) yield `${'#'.repeat(level)} ${long(size, 1e6)}\n\n`;
    yield prose(size(5e6));
  }),
  bomb('DOCX: title of 10 MB', 'title.docx', (size) =>
    docx({ text: paragraph(words.repeat(10)), repeat: size(2000) }, long(size, 1e7)),
  ),
  bomb('EPUB: title of 10 MB', 'title.epub', (size) =>
    epub({ text: `<p>${words.repeat(10)}</p>`, repeat: size(2000) }, long(size, 1e7)),
  ),
  bomb('ODT: title of 10 MB', 'title.odt', (size) =>
    odt({ text: `<text:p>${words.repeat(10)}</text:p>`, repeat: size(2000) }, long(size, 1e7)),
  ),
  bomb('ODS: rows that repeat a million times', 'repeats.ods', (size) =>
    ods({
      text: `<table:table-row table:number-rows-repeated="1000000">${odsCell('x', 1e6)}</table:table-row>`,
      repeat: size(2000),
    }),
  ),
  bomb('PPTX: title of 10 MB', 'title.pptx', (size) =>
    pptx({ text: `<a:p><a:r><a:t>${words.repeat(10)}</a:t></a:r></a:p>`, repeat: size(2000) }, long(size, 1e7)),
  ),
  bomb('PDF: title of 10 MB', 'title.pdf', (size) =>
    pdfOf(
      pages(Array.from({ length: size(500) }, (_, i) => shown(`Page ${i}. ${words}`))),
      `/Title (${long(size, 1e7)})`,
    ),
  ),
  bomb('notebook: title of 5 MB', 'title.ipynb', function* (size) {
    const cells = Array.from({ length: size(2000) }, () => ({
      cell_type: 'markdown',
      metadata: {},
      source: [words.repeat(10)],
    }));
    yield JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: { title: long(size, 5e6) }, cells });
  }),
];

const many: Bomb[] = [
  bomb('Markdown: 1,000,000 headings', 'headings.md', (size) => lines(size(1e6), (i) => `# ${wordOf(i)}\n`)),
  bomb('Markdown: 1,000,000 headings with a word each', 'sections.md', (size) =>
    lines(size(1e6), (i) => `${'#'.repeat(1 + (i % 6))} ${wordOf(i)}\n\n${wordOf(i + 1)}\n`),
  ),
  bomb('Markdown: 350,000 headings with a word each', 'some-sections.md', (size) =>
    lines(size(350_000), (i) => `${'#'.repeat(1 + (i % 6))} ${wordOf(i)}\n\n${wordOf(i + 1)}\n`),
  ),
  bomb('Markdown: 1,000,000 paragraphs of a letter', 'letters.md', (size) => repeated('a\n\n', size(1e6))),
  bomb('text: 1,000,000 paragraphs of a letter', 'letters.txt', (size) => repeated('a\n\n', size(1e6))),
  bomb('HTML: 1,000,000 headings', 'headings.html', (size) => lines(size(1e6), (i) => `<h2>${wordOf(i)}</h2>b`)),
  bomb('HTML: 1,000,000 paragraphs of a letter', 'letters.html', (size) => repeated('<p>a</p>', size(1e6))),
  bomb('DOCX: 1,000,000 paragraphs of a letter', 'letters.docx', (size) =>
    docx({ text: paragraph('a'), repeat: size(1e6) }),
  ),
  bomb('JSON lines: 1,000,000 records of a letter', 'letters.jsonl', (size) => repeated('{"text":"a"}\n', size(1e6))),
  bomb('subtitles: 1,000,000 cues', 'cues.srt', (size) =>
    lines(size(1e6), (i) => `${i}\n00:00:00,000 --> 00:00:01,000\na\n`),
  ),
  bomb('code: 1,000,000 functions', 'functions.py', (size) => lines(size(1e6), (i) => `def ${wordOf(i)}():\n  pass\n`)),
  bomb('reStructuredText: 1,000,000 headings', 'headings.rst', (size) => lines(size(1e6), () => 'ab\n==\n')),
];

const tables: Bomb[] = [
  bomb('CSV: 100,000 columns', 'columns.csv', function* (size) {
    for (let row = 0; row < 50; row++) {
      yield `${Array.from({ length: size(1e5) }, (_, i) => (row === 0 ? `column ${i}` : `${row}`)).join(',')}\n`;
    }
  }),
  bomb('CSV: 10,000,000 rows', 'rows.csv', (size) => lines(size(1e7), (i) => `${i},b`)),
  bomb('CSV: cell of 100 MB', 'cell.csv', function* (size) {
    yield 'id,text\n1,"';
    yield* repeated(words, Math.ceil(size(1e8) / words.length));
    yield '"\n';
  }),
  bomb('HTML: header row of 1 MB over 100,000 rows', 'header.html', function* (size) {
    yield `<table><tr><th>${long(size, 1e6)}</th><th>b</th></tr>`;
    yield* repeated(`<tr><td>${words}</td><td>a</td></tr>`, size(1e5));
    yield '</table>';
  }),
  bomb('HTML: cell of 50 MB', 'cell.html', function* (size) {
    yield '<table><tr><th>a</th></tr><tr><td>';
    yield* repeated(words, Math.ceil(size(5e7) / words.length));
    yield '</td></tr></table>';
  }),
  bomb('HTML: columns spanning 1,000,000', 'span.html', function* (size) {
    yield `<table>`;
    yield* repeated('<tr><td colspan="1000000" rowspan="1000000">a</td></tr>', size(1e4));
    yield '</table>';
  }),
  bomb('XLSX: one string of 32 KB in 100,000 cells', 'shared.xlsx', (size) =>
    xlsx({ text: '<row><c t="s"><v>0</v></c></row>', repeat: size(1e5) }, [words.repeat(360)]),
  ),
  bomb('XLSX: 1,000,000 rows', 'rows.xlsx', (size) =>
    xlsx({ text: '<row><c><v>1</v></c><c><v>2</v></c></row>', repeat: size(1e6) }),
  ),
  bomb('XLSX: cell in the last column of 100,000 rows', 'sparse.xlsx', (size) =>
    xlsx({ text: '<row><c r="XFD1"><v>1</v></c></row>', repeat: size(1e5) }),
  ),
  bomb('Markdown: table of 100,000 columns', 'columns.md', function* (size) {
    const row = (cell: string): string => `|${`${cell}|`.repeat(size(1e5))}\n`;
    yield row('a') + row('-') + row('b').repeat(20);
  }),
];

const deep: Bomb[] = [
  bomb('HTML: 1,000,000 lists in each other', 'lists.html', (size) => repeated('<ul><li>a', size(1e6))),
  bomb('HTML: 100,000 tables in each other', 'tables.html', (size) => repeated('<table><tr><td>a', size(1e5))),
  bomb('HTML: 1,000,000 unclosed inline elements', 'inline.html', (size) => repeated('<b><i>a', size(1e6))),
  bomb('Markdown: 100,000 quotes in each other', 'quotes.md', (size) => [`${'> '.repeat(size(1e5))}a\n`.repeat(3)]),
  bomb('Markdown: 10,000 lists in each other', 'lists.md', (size) =>
    lines(size(1e4), (i) => `${'  '.repeat(Math.min(i, 2000))}- a`),
  ),
  bomb('Markdown: 2,000,000 brackets', 'brackets.md', (size) => repeated('[a](', size(2e6))),
  bomb('Markdown: 2,000,000 asterisks', 'stars.md', (size) => repeated('*a **b ', size(1e6))),
  bomb('JSON: 10,000,000 arrays in each other', 'deep.json', (size) => repeated('[', size(1e7))),
  bomb('JSON: 1,000,000 objects in each other, closed', 'objects.json', function* (size) {
    yield* repeated('{"a":', size(1e6));
    yield '"b"';
    yield* repeated('}', size(1e6));
  }),
  bomb('XML: 1,000,000 elements in each other', 'deep.xml', function* (size) {
    yield '<?xml version="1.0"?>';
    yield* repeated('<a>b', size(1e6));
    yield* repeated('</a>', size(1e6));
  }),
  bomb('XML: entities of entities', 'laughs.xml', function* () {
    yield '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b0 "ha">';
    for (let i = 1; i < 12; i++) yield `<!ENTITY b${i} "${`&b${i - 1};`.repeat(10)}">`;
    yield ']><a>&b11; words</a>';
  }),
  bomb('YAML: aliases of aliases', 'laughs.yaml', function* () {
    yield 'a0: &a0 [ha, ha]\n';
    for (let i = 1; i < 12; i++)
      yield `a${i}: &a${i} [${Array(10)
        .fill(`*a${i - 1}`)
        .join(', ')}]\n`;
  }),
  bomb('Markdown: aliases of aliases in front matter', 'laughs.md', function* () {
    yield '---\na0: &a0 [ha, ha]\n';
    for (let i = 1; i < 12; i++)
      yield `a${i}: &a${i} [${Array(10)
        .fill(`*a${i - 1}`)
        .join(', ')}]\n`;
    yield `---\n\n${words}`;
  }),
  bomb('Markdown: 100,000 lists in each other in front matter', 'nested-front.md', (size) => [
    `---\na: ${'['.repeat(size(1e5))}${']'.repeat(size(1e5))}\n---\n\n${words}`,
  ]),
  bomb('DOCX: 20,000 tables in each other', 'tables.docx', (size) => {
    const depth = size(2e4);
    const open = '<w:tbl><w:tr><w:tc>'.repeat(depth);
    return docx({ text: `${open}${paragraph('a')}${'</w:tc></w:tr></w:tbl>'.repeat(depth)}` });
  }),
  bomb('RTF: 1,000,000 groups in each other', 'groups.rtf', function* (size) {
    yield '{\\rtf1 ';
    yield* repeated('{a', size(1e6));
  }),
];

const labels: Bomb[] = [
  bomb('Markdown: 1,000,000 keys in front matter', 'keys.md', function* (size) {
    yield '---\n';
    yield* lines(size(1e6), (i) => `${wordOf(i)}: 1`);
    yield `---\n\n${prose(size(1e6))}`;
  }),
  bomb('Markdown: 100,000 keys in front matter, body of 5 MB', 'some-keys.md', function* (size) {
    yield '---\n';
    yield* lines(size(1e5), (i) => `${wordOf(i)}: 1`);
    yield `---\n\n${prose(size(5e6))}`;
  }),
  bomb('Markdown: value of 10 MB in front matter', 'value.md', function* (size) {
    yield `---\ntitle: Short\nsummary: ${long(size, 1e7)}\n---\n\n${prose(size(5e6))}`;
  }),
  bomb('Markdown: key of 10 MB in front matter', 'key.md', function* (size) {
    yield `---\n? ${long(size, 1e7)}\n: a\n---\n\n${prose(size(5e6))}`;
  }),
  bomb('HTML: 1,000,000 meta elements', 'meta.html', function* (size) {
    yield '<html><head>';
    yield* lines(size(1e6), (i) => `<meta name="${wordOf(i)}" content="a">`);
    yield `</head><body><p>${prose(size(1e6))}</body></html>`;
  }),
  bomb('mail: 1,000,000 headers', 'headers.eml', function* (size) {
    yield* lines(size(1e6), (i) => `X-${wordOf(i)}: a\r`);
    yield `\r\n${prose(size(1e6))}`;
  }),
];

const pdfs: Bomb[] = [
  bomb('PDF: page that draws itself over and over', 'itself.pdf', () => pdfOf(drawsItself(8))),
  bomb('PDF: 50,000 pages', 'pages.pdf', (size) =>
    pdfOf(pages(Array.from({ length: size(5e4) }, (_, i) => shown(`Page ${i}. ${words}`)))),
  ),
  bomb('PDF: 1,000,000 words on a page', 'words.pdf', (size) =>
    pdfOf(pages([Array.from({ length: size(1e6) }, (_, i) => shown('word', i % 600, i % 790)).join('\n')])),
  ),
  bomb('PDF: page that unpacks to 500 MB', 'packed.pdf', (size) => pdfOf(pages([packedStream(size(500))]))),
  bomb('PDF: 200,000 annotations', 'notes.pdf', (size) => {
    const note = '<< /Type /Annot /Subtype /Text /Rect [0 0 1 1] /Contents (note) >>';
    return pdfOf(pages([shown(words)], `/Annots [${`${note} `.repeat(size(2e5))}]`));
  }),
  bomb('PDF: 200 MB of bytes that are no object', 'noise.pdf', function* (size) {
    yield* pdfOf([stream('no pages')]);
    yield* repeated('1 0 obj << /A 1 >> \n', Math.ceil(size(2e8) / 20));
  }),
];

const archives: Bomb[] = [
  bomb('DOCX: unpacks to 4 GB', 'bomb.docx', (size) => zipBomb('word/document.xml', size(4000))),
  bomb('DOCX: unpacks to 500 MB of text', 'text.docx', (size) =>
    docx({ text: paragraph(words.repeat(100)), repeat: size(40_000) }),
  ),
  bomb('DOCX: unpacks to 300 MB of empty runs', 'runs.docx', (size) =>
    docx({ text: '<w:p><w:r/><w:r/><w:r/></w:p>', repeat: size(10_000_000) }),
  ),
  bomb('XLSX: unpacks to 4 GB', 'bomb.xlsx', (size) => zipBomb('xl/workbook.xml', size(4000))),
  bomb('PPTX: unpacks to 4 GB', 'bomb.pptx', (size) => zipBomb('ppt/presentation.xml', size(4000))),
  bomb('EPUB: 1,000 chapters of 1 MB', 'chapters.epub', (size) =>
    epub({ text: `<p>${words}</p>`, repeat: 11_000 }, 'Chapters', size(1000)),
  ),
  bomb('EPUB: 60,000 chapters of a word', 'short.epub', (size) => epub({ text: '<p>a</p>' }, 'Short', size(60_000))),
];

const mails: Bomb[] = [
  bomb('mail: 1,000,000 attachments', 'attachments.eml', function* (size) {
    yield 'Subject: many\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhello\r\n';
    yield* repeated('--b\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nword\r\n', size(1e6));
  }),
  bomb('mail: 100,000 attachments', 'some-attachments.eml', function* (size) {
    yield 'Subject: many\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhello\r\n';
    yield* repeated('--b\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nword\r\n', size(1e5));
  }),
  bomb('mail: 100,000 multiparts in each other', 'nested.eml', function* (size) {
    yield* lines(size(1e5), (i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r`);
    yield '\r\nhello';
  }),
  bomb('mail: attachment of 150 MB', 'attachment.eml', function* (size) {
    yield 'Subject: large\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhello\r\n--b\r\n';
    yield 'Content-Disposition: attachment; filename=a.txt\r\nContent-Transfer-Encoding: base64\r\n\r\n';
    yield* repeated(`${Buffer.from(words.repeat(2)).toString('base64').slice(0, 76)}\r\n`, Math.ceil(size(1.5e8) / 76));
    yield '--b--\r\n';
  }),
  bomb('mailbox: 500,000 messages', 'messages.mbox', (size) =>
    lines(size(5e5), (i) => `From a Thu Jan  1 00:00:00 2026\nSubject: ${wordOf(i)}\n\nhello\n`),
  ),
];

const texts: Bomb[] = [
  bomb('text: one line of 200 MB', 'line.txt', (size) => repeated(words, Math.ceil(size(2e8) / words.length))),
  bomb('text: one line of 120 MB without a space', 'solid.txt', (size) => repeated('abcdefgh', size(1.5e7))),
  bomb('text: 120 MB of prose', 'prose.txt', (size) =>
    repeated(`${words.repeat(6)}\n\n`, Math.ceil(size(1.2e8) / 542)),
  ),
  bomb('text: 50 MB of prose', 'some-prose.txt', (size) =>
    repeated(`${words.repeat(6)}\n\n`, Math.ceil(size(5e7) / 542)),
  ),
  bomb('text: 200 MB of words, each once', 'distinct.txt', (size) =>
    lines(size(3.07e6), (i) => Array.from({ length: 5 }, (_, n) => wordOf(i * 5 + n)).join(' ')),
  ),
  bomb('text: 29 MB of words, each once', 'some-distinct.txt', (size) =>
    lines(size(450_000), (i) => Array.from({ length: 5 }, (_, n) => wordOf(i * 5 + n)).join(' ')),
  ),
  bomb('text: 250 MB of Chinese', 'chinese.txt', (size) =>
    repeated('港口的主人每天晚上写下水位有多高。', Math.ceil(size(2.5e8) / 51)),
  ),
  bomb('text: 150 MB of Chinese, the most that is read', 'full-chinese.txt', (size) =>
    repeated('港口的主人每天晚上写下水位有多高。', Math.ceil(size(1.5e8) / 51)),
  ),
  bomb('text: 40 MB of Chinese', 'some-chinese.txt', (size) =>
    repeated('港口的主人每天晚上写下水位有多高。', Math.ceil(size(4e7) / 51)),
  ),
  bomb('text: 200 MB of combining characters', 'combining.txt', (size) => repeated('\u0301', size(1e8))),
  bomb('text: 30 MB of combining characters', 'some-combining.txt', (size) => repeated('\u0301', size(1.5e7))),
  bomb('text: 200 MB of one emoji run', 'emoji.txt', (size) => repeated('👩\u200d', Math.ceil(size(2e8) / 7))),
  bomb('text: 30 MB of one emoji run', 'some-emoji.txt', (size) => repeated('👩\u200d', Math.ceil(size(3e7) / 7))),
  bomb('text: 200 MB of line feeds and a word', 'empty.txt', function* (size) {
    yield* repeated('\n', size(2e8));
    yield 'word';
  }),
  bomb('code: one line of 100 MB', 'minified.js', (size) =>
    repeated('function a(b){return b+1};', Math.ceil(size(1e8) / 26)),
  ),
  bomb('Markdown: 100 MB of prose', 'prose.md', (size) =>
    repeated(`${words.repeat(6)}\n\n`, Math.ceil(size(1e8) / 542)),
  ),
  bomb('HTML: 200 MB of prose', 'prose.html', (size) =>
    repeated(`<p>${words.repeat(6)}</p>`, Math.ceil(size(2e8) / 547)),
  ),
  bomb('JSON: 200 MB of records', 'records.json', function* (size) {
    yield '[';
    yield* repeated(`{"id":1,"text":"${words.trim()}"},`, Math.ceil(size(2e8) / 110));
    yield '{}]';
  }),
  bomb('XML: 200 MB of elements', 'elements.xml', function* (size) {
    yield '<?xml version="1.0"?><a>';
    yield* repeated(`<b>${words}</b>`, Math.ceil(size(2e8) / 97));
    yield '</a>';
  }),
];

export const bombs: readonly Bomb[] = [
  ...titles,
  ...many,
  ...tables,
  ...deep,
  ...labels,
  ...pdfs,
  ...archives,
  ...mails,
  ...texts,
  ...records,
];
