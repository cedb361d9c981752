import { describe, expect, test } from 'vitest';
import { decodeWords } from '../../../src/read/mail/mime.ts';
import { makeZip } from './formats-make.ts';
import { codes, headings, outline, parse } from './helpers.ts';

const crlf = (lines: readonly string[]): string => lines.join('\r\n');

describe('mail', () => {
  test('says hidden receivers, keywords and the labels of Gmail', async () => {
    const lines = [
      'From 1@xxx Sun May 05 10:00:00 +0000 2024',
      'X-Gmail-Labels: Sent,"Cranes, big",=?UTF-8?Q?W=C3=A4sche?=',
      'From: a@e.org',
      'Bcc: d@e.org',
      'Keywords: quay, rope',
      'Subject: One',
      '',
      'The body.',
    ];
    expect((await parse('a.mbox', crlf(lines))).text).toBe(
      'One\n\nFrom: a@e.org\nBcc: d@e.org\nSubject: One\nKeywords: quay, rope\nLabels: Sent,"Cranes, big",Wäsche\n\nThe body.',
    );
  });

  test('a subject of megabytes is cut in title and metadata, and the document says so', async () => {
    const document = await parse('a.eml', `Subject: endless${'\r\n endless'.repeat(200_000)}\r\n\r\nThe body.\r\n`);
    expect(document.title).toMatch(/^endless endless .*…$/);
    expect(document.title).toHaveLength(500);
    expect(JSON.stringify(document.metadata).length).toBeLessThan(3000);
    expect(codes(document)).toEqual(['TITLE_CUT', 'METADATA_CUT']);
    expect(document.text).toContain('The body.');
  });

  test('headers, the plain form of the text, attachments with their name', async () => {
    const document = await parse(
      'a.eml',
      crlf([
        'From: =?utf-8?Q?J=C3=BCrgen?= <j@example.org>',
        'To: b@example.org',
        'Date: Tue, 1 Oct 2024 12:34:56 +0200',
        'Subject: =?iso-8859-1?B?R3L832U=?=',
        ' =?utf-8?Q?_und_?= =?utf-8?Q?mehr?=',
        'MIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary="b 1"',
        '',
        'preamble',
        '--b 1',
        'Content-Type: multipart/alternative; boundary=inner',
        '',
        '--inner',
        'Content-Type: text/plain; charset=iso-8859-1',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        'Sch=F6ne Gr=FC=',
        '=DFe.',
        '',
        '> Zitat',
        '--inner',
        'Content-Type: text/html',
        '',
        '<p>Sch&ouml;ne Gr&uuml;&szlig;e in HTML</p>',
        '--inner--',
        '--b 1',
        'Content-Type: text/csv',
        "Content-Disposition: attachment; filename*0*=utf-8''%C3%BCber; filename*1=sicht.csv",
        'Content-Transfer-Encoding: base64',
        '',
        Buffer.from('x,y\n1,2\n').toString('base64'),
        '--b 1',
        'Content-Type: image/png; name=pic.png',
        'Content-Transfer-Encoding: base64',
        '',
        Buffer.from('\x89PNG').toString('base64'),
        '--b 1--',
        'epilogue',
      ]),
    );
    expect(document.title).toBe('Grüße und mehr');
    expect(document.metadata).toMatchObject({ from: 'Jürgen <j@example.org>', sentAt: '2024-10-01T10:34:56.000Z' });
    expect(outline(document)).toEqual([
      [
        'record',
        'From: Jürgen <j@example.org>\nTo: b@example.org\nDate: Tue, 1 Oct 2024 12:34:56 +0200\nSubject: Grüße und mehr',
      ],
      ['paragraph', 'Schöne Grüße.'],
      ['quote', '> Zitat'],
      ['heading', 'Attachment: übersicht.csv'],
      ['table', 'x | y\n1 | 2'],
      ['paragraph', 'Attachment: pic.png (image/png, 5 bytes)'],
    ]);
    const row = document.locators.find(({ rows }) => rows?.[0] === 2)!;
    expect([row.part, document.text.slice(row.start, row.end)]).toEqual(['übersicht.csv', '1 | 2']);
  });

  test('HTML alone is read as HTML; a wrong charset is overruled', async () => {
    const html = Buffer.from('<h2>Über uns</h2><p>Wörter genug, um es zu erkennen: Größe, Länge, Höhe.</p>', 'utf8');
    const head = Buffer.from('Subject: x\r\nContent-Type: text/html; charset=us-ascii\r\n\r\n');
    const document = await parse('a.eml', Buffer.concat([head, html]));
    expect(headings(document)).toEqual([[2, 'Über uns']]);
    expect(document.text).toContain('Größe, Länge, Höhe.');
  });

  test('what is broken is said and read as far as it goes', async () => {
    const noBoundary = await parse(
      'a.eml',
      crlf(['Subject: x', 'Content-Type: multipart/mixed; boundary=none', '', 'The words are here.']),
    );
    expect([noBoundary.text.includes('The words are here.'), codes(noBoundary)]).toEqual([true, ['MAIL_DAMAGED']]);
    expect((await parse('a.eml', 'No header here, just text.\n\nMore.')).text).toBe(
      'No header here, just text.\n\nMore.',
    );
  });

  test('a message inside a message is a section of its own', async () => {
    const inner = ['From: in@x', 'Subject: Inner', '', 'Inner words.'];
    const document = await parse(
      'a.eml',
      crlf(['Subject: Outer', 'Content-Type: multipart/digest; boundary=z', '', '--z', '', ...inner, '--z--']),
    );
    expect(headings(document)).toEqual([[1, 'Inner']]);
    expect(document.locators.at(-1)).toMatchObject({ part: 'Inner' });
  });

  test.each([
    ['=?UTF-8?B?5pel5pys?= =?UTF-8?B?6Kqe?=', '日本語'],
    ['=?UTF-8?B?5pel5pys6A==?= =?UTF-8?B?qp4=?=', '日本語'], // cut inside a character
    ['=?utf-8?q?a_=3D_b?= plain', 'a = b plain'],
    ['no words =? here', 'no words =? here'],
  ])('encoded words: %s', (encoded, expected) => {
    expect(decodeWords(encoded)).toBe(expected);
  });

  test('a mailbox: one section a message, and "From " in a text is no message', async () => {
    const mbox =
      'From a@b Mon Jan  1 10:00:00 2024\nSubject: One\n\nHello.\n>From here on.\nFrom my window I see it.\n\nFrom c@d Tue Jan  2 11:00:00 2024\nSubject: Two\n\nBye.\n';
    const document = await parse('a.mbox', mbox);
    expect(headings(document)).toEqual([
      [1, 'One'],
      [1, 'Two'],
    ]);
    expect(document.text).toContain('From here on.\nFrom my window I see it.');
    expect(document.locators.map(({ part }) => part)).toEqual(['message 1: One', 'message 2: Two']);
  });

  test('a mailbox names its senders and the times of its messages, to filter by', async () => {
    const mail = (from: string, date: string): string =>
      `From x Mon Jan  1 10:00:00 2024\nFrom: ${from}\nDate: ${date}\nSubject: s\n\nHello.\n\n`;
    const mbox = `${mail('Ada <a@b.c>', 'Tue, 2 Jan 2024 11:00:00 +0100')}${mail('Tom <t@b.c>', 'Mon, 1 Jan 2024 11:00:00 +0100')}${mail('Ada <a@b.c>', 'never')}`;
    expect((await parse('a.mbox', mbox)).metadata).toEqual({
      messages: 3,
      from: 'Ada <a@b.c>, Tom <t@b.c>',
      firstSentAt: '2024-01-01T10:00:00.000Z',
      lastSentAt: '2024-01-02T10:00:00.000Z',
    });
  });
});

describe('RTF', () => {
  test('paragraphs, code pages, Unicode with fallbacks, tables, and nothing of its tables of fonts', async () => {
    const rtf = String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\*\generator x;}{\pard\outlinelevel0 Head\par}\pard Gr\'fc\'dfe \u26085?\u-10179?\u-8704? \endash\par \trowd a\cell b\cell\row c\cell d\cell\row \pard end\par}`;
    const document = await parse('a.rtf', rtf);
    expect(outline(document)).toEqual([
      ['heading', 'Head'],
      ['paragraph', 'Grüße 日😀 –'],
      ['table', 'a | b\nc | d'],
      ['paragraph', 'end'],
    ]);
    expect(document.title).toBe('Head');
  });

  test('a message of Apple Mail, between its length and its notes', async () => {
    const message = 'From: a@example.org\nSubject: Pumps\nContent-Transfer-Encoding: quoted-printable\n\nCaf=C3=A9.\n';
    const { title, text } = await parse('1.emlx', `${message.length}        \n${message}<?xml version="1.0"?><plist/>`);
    expect([title, text]).toEqual(['Pumps', 'From: a@example.org\nSubject: Pumps\n\nCafé.']);
  });

  test.each(['=C2=A0', '=E2=80=8B', ''])('HTML where the plain form holds blanks alone (%s)', async (blank) => {
    const head = 'Content-Type: multipart/alternative; boundary=b';
    const plain = [
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      blank,
    ];
    const html = ['--b', 'Content-Type: text/html', '', '<p>The crane is open.</p>', '--b--'];
    expect((await parse('a.eml', crlf([head, '', ...plain, ...html]))).text).toBe('The crane is open.');
  });

  test('HTML where the plain form only says that there is HTML; a short answer stays the plain one', async () => {
    const read = async (plain: string, html: string): Promise<string> => {
      const parts = ['--b', 'Content-Type: text/plain', '', plain, '--b', 'Content-Type: text/html', '', html, '--b--'];
      return (await parse('a.eml', crlf(['Content-Type: multipart/alternative; boundary=b', '', ...parts]))).text;
    };
    const style = `<style>${'p{color:red}'.repeat(50)}</style>`;
    const order = `${style}${'<p>Order 4711: one crane, two ropes.</p>'.repeat(8)}`;
    expect(await read('Your program cannot show this. See https://e.org/a', order)).toContain('Order 4711');
    expect(await read('Yes, *do*.', `${style}<p>Yes, <b>do</b>.</p>`)).toBe('Yes, *do*.');
  });

  test('soft line breaks are joined, with delsp=yes without their blank', async () => {
    const read = async (delsp: string): Promise<string> => {
      const type = `Content-Type: text/plain; charset=utf-8; format=flowed${delsp}`;
      return (await parse('a.eml', crlf([type, '', '会議は明 ', '日です。']))).text;
    };
    expect(await read('; delsp=yes')).toBe('会議は明日です。');
    expect(await read('')).toBe('会議は明 日です。');
  });

  test('an attached text is in the charset that the mail declares', async () => {
    const attached = (type: string, body: string): string =>
      crlf(['--b', `Content-Type: ${type}`, 'Content-Transfer-Encoding: quoted-printable', '', body, '']);
    const source =
      crlf(['Content-Type: multipart/mixed; boundary=b', '', '']) +
      attached('text/plain', 'See the files.') +
      attached('text/plain; charset=iso-8859-2; name=a.txt', 'Za=BF=F3=B3=E6 g=EA=B6l=B1') +
      attached('text/csv; charset=iso-8859-2; name=b.csv', 'miasto,ulica=0D=0A=A3=F3d=BC,=B6w. Jana') +
      '--b--\r\n';
    const { text, warnings } = await parse('a.eml', source);
    expect(text).toContain('Zażółć gęślą');
    expect(text).toContain('Łódź | św. Jana');
    expect(warnings).toEqual([]);
  });

  test('the foot of a mail is part of the mail; that of a saved page is not part of the page', async () => {
    const flow = Array.from({ length: 20 }, (_, i) => `<p>The river runs past the mill and meadow ${i}.</p>`).join('');
    const source = crlf([
      'Content-Type: text/html',
      '',
      `${flow}<div class="footer">Customer 4711</div><footer>Regards, Ann</footer>`,
    ]);
    expect((await parse('a.eml', source)).text).toMatch(/meadow 19\.\n\nCustomer 4711\n\nRegards, Ann$/);
    expect((await parse('a.mhtml', source)).text).toMatch(/meadow 19\.$/);
  });

  test('an archive is read whatever its type is called, and so is the reason why a message did not arrive', async () => {
    const zip = Buffer.from(makeZip({ 'a.txt': 'Valves are shut.' })).toString('base64');
    const parts = ['application/zip', 'application/x-zip-compressed', 'application/octet-stream'].map((type) =>
      crlf(['--b', `Content-Type: ${type}; name=a.zip`, 'Content-Transfer-Encoding: base64', '', zip]),
    );
    const report = crlf(['--b', 'Content-Type: message/delivery-status', '', 'Status: 5.1.1 (no such user)', '--b--']);
    const { text, warnings } = await parse(
      'a.eml',
      crlf(['Content-Type: multipart/mixed; boundary=b', '', ...parts, report]),
    );
    expect(text.match(/Valves are shut\./g)).toHaveLength(3);
    expect(text).toContain('Status: 5.1.1 (no such user)');
    expect(warnings).toEqual([]);
  });

  test('a sentence that begins as the line between two messages is text', async () => {
    const separator = (second: number): string => `From a@example.org Tue Mar 12 10:00:0${second} 2024`;
    const lines = [separator(1), 'Subject: One', '', 'So be it.', 'From now on 10:30 is the time, as in 2024.', ''];
    const { text, metadata } = await parse('a.mbox', [...lines, separator(2), 'Subject: Two', '', 'Yes.'].join('\n'));
    expect(text).toContain('So be it.\nFrom now on 10:30 is the time, as in 2024.');
    expect(metadata.messages).toBe(2);
  });

  test('bytes are in the encoding of their font, and Symbol shows Greek', async () => {
    const rtf = String.raw`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fnil\fcharset0 Calibri;}{\f1\fnil\fcharset204{\*\fname Arial;}Arial Cyr;}{\f2\ftech\fcharset2 Symbol;}{\f3\fcharset238 Arial CE;}{\f4\fcharset128 Gothic;}}
\f0 Gr\'fc\'dfe \f1\'cf\'f0\'e8\'e2\'e5\'f2\f0 , {\f3\'e8esk\'fd} 3 {\f2 m}g at 5 {\f2\'b0}C, {\f2\u-3999?} {\f4\'83e\'83X\'83g}\par}`;
    expect((await parse('a.rtf', rtf)).text).toBe('Grüße Привет, český 3 μg at 5 °C, α テスト');
  });

  test('title and author are read in the encoding of the file; a numbered heading is one', async () => {
    const rtf = String.raw`{\rtf1\ansi\ansicpg1250{\info{\title Pl\'e1n \u382?itn\'fd}{\author \'8eofie}{\creatim\yr2024}}
\pard\s1\outlinelevel0{\listtext\pard\plain 1.\tab}\ls1 Scope\par \pard Words.\par}`;
    const document = await parse('a.rtf', rtf);
    expect([document.title, document.metadata]).toEqual(['Plán žitný', { author: 'Žofie' }]);
    expect(outline(document)).toEqual([
      ['heading', '1.\tScope'],
      ['paragraph', 'Words.'],
    ]);
  });

  test('fields that set text show it; instructions of others stay out', async () => {
    const rtf = String.raw`{\rtf1\ansi In {\field{\*\fldinst { EQ \\* jc3 \\* "Font:DejaVu Sans" \\* hps12 \\o\\al(\\s\\up 11(\u12363\'3f),\u28450\'3f\u23383\'3f)}}{\fldrslt {}}} by {\field{\*\fldinst HYPERLINK "https://e.org" }{\fldrslt link}}.\par}`;
    expect((await parse('a.rtf', rtf)).text).toBe('In 漢字 by link.');
  });

  test('headers, footers, notes, comments and boxes; hidden and deleted text stays out', async () => {
    const rtf = String.raw`{\rtf1\ansi{\header Harbour\par}{\footer Page {\field{\*\fldinst PAGE}{\fldrslt 1}}\par}{\footerf Internal\par}\pard Before{\footnote {\super\chftn} A note.} after{\*\atnauthor Ann}\chatn{\*\annotation{\*\atndate 12}A comment.} it.\par
{\shp{\*\shpinst\shpleft1{\sp{\sn x}{\sv 1}}{\shptxt In a box\par}}{\shprslt{\*\do{\dptxbxtext In a box\par}}}}Shown {\v hidden }{\deleted gone }text.\par
\trowd\pard\intbl One\par two\cell B{\footnote Of the cell.}\cell\row\pard End\par{\header Harbour\par}}`;
    const { text } = await parse('a.rtf', rtf);
    expect(text.split('\n\n')).toEqual([
      'Harbour',
      'Before after it.',
      'A note.',
      'A comment.',
      'Shown text.',
      'In a box',
      'One two | B',
      'Of the cell.',
      'End',
      'Internal',
    ]);
  });
});
