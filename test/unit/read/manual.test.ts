import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { headings, outline, parse } from './helpers.ts';

const PUMP = String.raw`.\" The page of a program that is made up.
.de Note
.PP
Note: \\$1
..
.ds Co pumpctl
.TH PUMPCTL 8 "2024-03-05" "pumpctl 2.4" "Station manual"
.SH NAME
\*(Co \- control the pumps of a \fIstation\fR
.SH SYNOPSIS
.B pumpctl
[\fB\-\-rate\fR=\fIlitres\fR]
.RI [ file " ...]"
.SH OPTIONS
.TP
.BR \-r ", " \-\-rate =\fIlitres\fR
Litres a minute.
The default is 40.
.TP
.B \-q
.TQ
.B \-\-quiet
Say\ nothing.
.PP
.Note "pumps wear out\(em\(lqsoon\(rq."
.ie n Shown on a terminal.
.el \{\
Shown on paper.
.\}
.IP \(bu 2
First of all
.IP 2. 4
Second
.SS Examples
.nf
pumpctl \-q \e
   \-r 12
.fi
.TS
tab(;);
l l.
State;Litres
_
idle;T{
none at all
T}
.TE
'tis the end.
`;

test('a manual page: headings, entries with their terms, examples and rows of tables, without the marks of roff', async () => {
  const document = await parse('pumpctl.8', PUMP);
  expect(document.format).toBe('man');
  expect(document.title).toBe('pumpctl(8)');
  expect(outline(document)).toEqual([
    ['heading', 'NAME'],
    ['paragraph', 'pumpctl - control the pumps of a station'],
    ['heading', 'SYNOPSIS'],
    ['paragraph', 'pumpctl [--rate=litres] [file ...]'],
    ['heading', 'OPTIONS'],
    ['list', '-r, --rate=litres: Litres a minute. The default is 40.'],
    ['list', '-q, --quiet: Say nothing.'],
    ['paragraph', 'Note: pumps wear out—“soon”. Shown on a terminal.'],
    ['list', '- First of all'],
    ['list', '2. Second'],
    ['heading', 'Examples'],
    ['code', 'pumpctl -q \\\n   -r 12'],
    ['table', 'State | Litres\n--- | ---\nidle | none at all'],
    ['paragraph', "'tis the end."],
    ['paragraph', 'pumpctl(8), 2024-03-05, pumpctl 2.4, Station manual'],
  ]);
  const rate = document.text.indexOf('-r, --rate');
  expect(document.locators.find(({ start }) => start === rate)?.lines).toEqual([16, 18]);
});

test('terms of long entries are headings, where no other text would stand below the last one', async () => {
  const entry = (name: string): string => `.TP\n\\fB\\-${name}\\fR\nWhat ${name} does.\n.IP\nMore of ${name}.\n`;
  const long = await parse('a.1', `.TH A 1\n.SH OPTIONS\n${entry('a')}${entry('b')}.SH END\nDone.\n`);
  expect(headings(long).map(([level]) => level)).toEqual([1, 2, 2, 1]);
  expect(outline(long).slice(1, 4)).toEqual([
    ['heading', '-a'],
    ['paragraph', 'What a does.'],
    ['paragraph', 'More of a.'],
  ]);
  const followed = await parse('a.1', `.TH A 1\n.SH OPTIONS\n${entry('a')}${entry('b')}.PP\nText of all.\n`);
  expect(headings(followed)).toHaveLength(1);
  expect(followed.text).toContain('-a: What a does.');
});

test('macros of mdoc: flags, arguments, names of pages, what is enclosed', async () => {
  const source = `.Dd March 5, 2024
.Dt VALVE 1
.Os
.Sh NAME
.Nm valve
.Nd open and close valves
.Sh SYNOPSIS
.Nm
.Op Fl qv
.Op Fl r Ar rate
.Ar
.Sh DESCRIPTION
.Bl -tag -width Ds
.It Fl r Ar rate
Sets the
.Dq rate ;
see
.Xr pumpctl 8 .
.It Fl D Xo
.Sm off
.Oo Ar host : Oc
.Ar port
.Sm on
.Xc
Listens.
.It Fl q , Fl Fl quiet
Nothing is said
.Pq by Nm Ns 's Ar file .
.El
.Bl -enum
.It
One
.It
Two
.El
`;
  const document = await parse('valve.1.gz', gzipSync(source));
  expect(document.title).toBe('valve(1)');
  expect(outline(document)).toEqual([
    ['heading', 'NAME'],
    ['paragraph', 'valve – open and close valves'],
    ['heading', 'SYNOPSIS'],
    ['paragraph', 'valve [-qv] [-r rate] file ...'],
    ['heading', 'DESCRIPTION'],
    ['list', '-r rate: Sets the “rate”; see pumpctl(8).'],
    ['list', '-D [host:]port: Listens.'],
    ['list', "-q, --quiet: Nothing is said (by valve's file)."],
    ['list', '1. One'],
    ['list', '2. Two'],
    ['paragraph', 'valve(1), March 5, 2024'],
  ]);
});

test('a page that stands for another one says which; a log that ends in .1 is no page, and neither is a text named .man', async () => {
  const other = await parse('zvalve.1', '.so man1/valve.1\n');
  expect([other.format, other.text]).toEqual(['man', 'See man1/valve.1']);
  expect((await parse('system.log.1', 'May 5 10:00 started\nMay 5 10:01 ended\n')).format).toBe('text');
  expect((await parse('a.man', 'A man stood here.\nNobody else.\n')).format).toBe('text');
});

test('a page that is cut in a macro, a table or a block, or calls itself without end, is read as far as it goes', async () => {
  const begin = '.TH A 1\n.SH NAME\na \\- b\n';
  for (const end of [
    '.de X\nlost',
    '.TS\nl l.\nx\ty',
    '.if t \\{\nlost',
    '.de X\n.X\n.X\n..\n.X',
    '.ds s \\*s\\*s\n\\*s',
    '\\f[',
    '\\h',
  ])
    expect((await parse('a.1', begin + end)).text).toContain('a - b');
});

test('mdoc: a guarded word is no macro and no mark, books are cited as a sentence, standards have their names', async () => {
  const page = String.raw`.Dd May 2, 2024
.Dt PIER 5
.Os
.Sh NAME
.Nm pier
.Nd names of piers
.Sh DESCRIPTION
The names
.Pa \&.
and
.Pa \&..
are
.Em two
.Li \&Ar
words.
A line may end with
.Ql \&.
.Sh STANDARDS
The file conforms to
.St -p1003.1-2008
and
.St -ansiC .
An odd one is
.St -harbour .
See
.Rs
.%B Lamps
.Re
.Sh SEE ALSO
.Rs
.%A Ines Berg
.%A Olaf Lind
.%A Signe Dahl
.%T Piers of the North
.%D 1998
.%I Quay Press
.Re
.Rs
.%A Ines Berg
.%A Olaf Lind
.%B Lamps
.Re
`;
  expect(outline(await parse('pier.5', page)).slice(3)).toEqual([
    ['paragraph', 'The names . and .. are two Ar words. A line may end with ‘.’'],
    ['heading', 'STANDARDS'],
    [
      'paragraph',
      'The file conforms to IEEE Std 1003.1-2008 (“POSIX.1”) and ANSI X3.159-1989 (“ANSI C89”). An odd one is harbour. See Lamps.',
    ],
    ['heading', 'SEE ALSO'],
    ['reference', 'Ines Berg, Olaf Lind, and Signe Dahl, Piers of the North, Quay Press, 1998.'],
    ['reference', 'Ines Berg and Olaf Lind, Lamps.'],
    ['reference', 'pier(5), May 2, 2024'],
  ]);
});

// What `groff -Tutf8` of groff 1.22 prints for each.
test('letters and signs that roff names, accents on a letter, and letters of several codes', async () => {
  const written = String.raw`\[*k]\[*a]\[+f]\[u03AD] \[*l]\[*o]\[ts] \[e aa] \[u0065_0301] \[sqrt]2 \[sum]x 5\[tmu]3 \[38] \[lf]x\[rf] \(>= \[vS]`;
  expect((await parse('a.1', `.TH A 1\n.SH TEXT\n${written}\n`)).text).toBe('TEXT\n\nκαφέ λος é é √2 ∑x 5×3 ⅜ ⌊x⌋ ≥ Š');
});

test('tables of tbl: a first row in bold, or above a rule, is the names of the columns', async () => {
  const table = (lines: readonly string[]): string => ['.TH A 1', '.SH TABLE', '.TS', ...lines, '.TE'].join('\n');
  const tableOf = async (lines: readonly string[]): Promise<readonly [string | undefined, string]> => {
    const { text, blocks } = await parse('a.1', table(lines));
    const { start, end, header } = blocks.find(({ kind }) => kind === 'table')!;
    return [header && text.slice(header.start, header.end), text.slice(start, end)];
  };
  const named = ['Pump | Litres', 'Pump | Litres\n--- | ---\nGannet | forty\nSkua | nine'] as const;
  expect(await tableOf(['tab(;);', 'lb lb', 'l l.', 'Pump;Litres', 'Gannet;forty', 'Skua;nine'])).toEqual(named);
  expect(
    await tableOf(['allbox tab(;);', 'cfB | cf(B) ,', 'l | l.', 'Pump;Litres', 'Gannet;forty', 'Skua;nine']),
  ).toEqual(named);
  expect(await tableOf(['tab(;);', 'l l.', String.raw`\fBPump\fP;\fBLitres\fR`, 'Gannet;forty', 'Skua;nine'])).toEqual(
    named,
  );
  expect(await tableOf(['tab(;);', 'l l.', 'Pump;Litres', '=', 'Gannet;forty', 'Skua;nine'])).toEqual(named);
  expect(await tableOf(['tab(;);', 'l l.', 'Pump;Litres', '_;_', 'Gannet;forty', 'Skua;nine'])).toEqual(named);
  const plain = [undefined, 'Pump | Litres\nGannet | forty\nSkua | nine'] as const;
  expect(await tableOf(['tab(;);', 'l l.', '_', 'Pump;Litres', 'Gannet;forty', '_', 'Skua;nine'])).toEqual(plain);
  expect(await tableOf(['tab(;);', 'lb l', 'lb l.', 'Pump;Litres', 'Gannet;forty', 'Skua;nine'])).toEqual(plain);
  expect(await tableOf(['tab(;);', 'lb lb.', 'Pump;Litres', 'Gannet;forty', 'Skua;nine'])).toEqual(plain);
});

test('pages made of AsciiDoc: a short line above an indented part is its term, a sentence is none', async () => {
  const page = String.raw`.TH TIDE 5
.SH OPTIONS
.sp
\fBnoauto\fP
.RS 4
do not mount at boot time
.RE
.sp
\fB\-r\fP, \fB\-\-rate\fP \fIlitres a minute\fP
.RS 4
how fast the pumps go
.RE
.sp
A sentence may be followed by an example:
.RS 4
pumpctl
.RE
.sp
The pumps are started by the keeper with
.RS 4
pumpctl start
.RE
`;
  expect(outline(await parse('tide.5', page)).slice(1)).toEqual([
    ['list', 'noauto: do not mount at boot time'],
    ['list', '-r, --rate litres a minute: how fast the pumps go'],
    ['paragraph', 'A sentence may be followed by an example:'],
    ['paragraph', 'pumpctl'],
    ['paragraph', 'The pumps are started by the keeper with'],
    ['paragraph', 'pumpctl start'],
  ]);
});
