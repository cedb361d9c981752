import { describe, expect, test } from 'vitest';
import { parse } from './helpers.ts';

describe('contacts and calendars', () => {
  test('a card of old phones is in the encoding that each value names, however it names it', async () => {
    const card = [
      'BEGIN:VCARD',
      'VERSION:2.1',
      'FN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:J=F6rg M=FCller',
      'ADR;HOME;QUOTED-PRINTABLE;CHARSET=UTF-8:;;Stra=C3=9Fe 5;K=C3=B6ln;;=',
      '50667;DE',
      'ANNIVERSARY:2010-05-04',
      'END:VCARD',
    ];
    const { text, warnings } = await parse('a.vcf', card.join('\r\n'));
    expect(text).toBe('Jörg Müller\n\nAddress (home, lives at): Straße 5, Köln, 50667, DE\nAnniversary: 2010-05-04');
    expect(warnings).toEqual([]);
  });

  test('a card says what its owner calls a number or a day, and who is in a group', async () => {
    const card = [
      'BEGIN:VCARD',
      'N:Poole;Ann;;Dr.;PhD',
      'item1.TEL;TYPE=HOME:+49 431 777',
      'item1.X-ABLabel:Boat phone',
      'item2.X-ABDATE;type=pref:2011-06-07',
      'item2.X-ABLabel:_$!<Anniversary>!$_',
      'X-SKYPE:ann.p',
      'GENDER:F',
      'EXPERTISE;LEVEL=expert:cranes',
      'MEMBER:mailto:x@example.org',
      'END:VCARD',
    ];
    expect((await parse('a.vcf', card.join('\r\n'))).text).toBe(
      'Dr. Ann Poole PhD\n\nPhone (home, private, Boat phone): +49 431 777\nMember: x@example.org\nDate (Anniversary): 2011-06-07\nGender: F\nExpertise: cranes\nSkype: ann.p',
    );
  });

  test('an event says who comes, what is needed, where to call and what is attached', async () => {
    const source = [
      'BEGIN:VCALENDAR',
      'X-WR-CALDESC:All of the harbour',
      'BEGIN:VEVENT',
      'SUMMARY:Lift',
      'ATTENDEE;CN=Bob;PARTSTAT=DECLINED:mailto:bob@example.org',
      'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:cid@example.org',
      'RESOURCES:Ladder\\, long,Truck',
      'CONFERENCE;VALUE=URI:https://meet.example/abc',
      'ATTACH;FILENAME=plan.pdf:https://example.org/1',
      'ATTACH;VALUE=BINARY;ENCODING=BASE64;FILENAME=map.png:iVBORw0K',
      'END:VEVENT',
      'END:VCALENDAR',
    ];
    expect((await parse('a.ics', source.join('\r\n'))).text).toBe(
      'All of the harbour\n\nLift\n\nAttendee: Bob <bob@example.org> (declined), cid@example.org\nResources: Ladder, long,Truck\nConference: https://meet.example/abc\nAttachment: plan.pdf https://example.org/1, map.png',
    );
  });

  test.each([
    ['From $5 to $10 a_b', 'From $5 to $10 a_b'],
    ['H$_2$O in $10^{-3}$ m, 5\\,\\% of \\$3 and hy\\-phen', 'H2O in 10^-3 m, 5 % of $3 and hyphen'],
    ['1990\\textendash{}2000 and {\\textemdash} 5\\textdegree C', '1990–2000 and — 5°C'],
    ['{\\TeX}book, \\LaTeX{} and the $\\alpha$-decay', 'TeXbook, LaTeX and the alpha-decay'],
    [
      'Erd{\\H{o}}s, Ko\\c{c}, Ma\\u{g}ra, \\r{A}ngstr{\\"o}m, Wa{\\l}{\\k{e}}sa, \\v{S}koda',
      'Erdős, Koç, Mağra, Ångström, Wałęsa, Škoda',
    ],
    ['A {\\em lift} of \\textbf{40} \\emph{tons}, \\OE uvre \\& 10\\%', 'A lift of 40 tons, Œuvre & 10%'],
  ])('the title %s of a bibliography is %s', async (tex, title) => {
    expect((await parse('a.bib', `@book{k, title = {${tex}}}`)).text).toBe(`${title}\n\nk (book)`);
  });

  test.each([
    [
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;UNTIL=20261231T180000Z',
      'every 2 weeks on Tuesday, Thursday until 2026-12-31 18:00 UTC',
    ],
    ['FREQ=MONTHLY;BYDAY=-1FR;COUNT=6', 'every month on the last Friday, 6 times'],
    ['FREQ=MONTHLY;BYMONTHDAY=15,-1', 'every month on day 15, the last day'],
    ['FREQ=YEARLY;BYMONTH=10;BYDAY=2SU;WKST=MO', 'every year on the second Sunday in October'],
    ['FREQ=DAILY', 'every day'],
    ['FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1', 'every month on Monday, Tuesday, only the last of these'],
    ['FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=2', 'every month on Monday, Tuesday, only the second of these'],
    ['FREQ=DAILY;BYHOUR=9,17;BYMINUTE=5', 'every day at 09:05, 17:05'],
    ['FREQ=DAILY;BYHOUR=9', 'every day at 9 h'],
    ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', 'every year on Monday in week 20'],
    ['FREQ=YEARLY;BYYEARDAY=100', 'every year on day 100 of the year'],
    ['FREQ=MONTHLY;BYDAY=MO;BYSETPOS=9', 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=9'],
    ['FREQ=YEARLY;BYDAY=20MO', 'FREQ=YEARLY;BYDAY=20MO'],
  ])('the rule %s is said in words, as far as words are sure', async (rule, words) => {
    const event = ['BEGIN:VEVENT', 'SUMMARY:Drill', 'DURATION:P1DT1H30M', `RRULE:${rule}`, 'END:VEVENT'];
    const source = ['BEGIN:VCALENDAR', ...event, 'END:VCALENDAR'].join('\r\n');
    expect((await parse('a.ics', source)).text).toBe(`Drill\n\nDuration: 1 day 1 h 30 min\nRepeats: ${words}`);
  });

  test('a description with a whole page as its parameter is read', async () => {
    const page = `data:text/html,${'%3Cp%3EGate%3C%2Fp%3E'.repeat(300)}`;
    const event = ['BEGIN:VEVENT', 'SUMMARY:Drill', `DESCRIPTION;ALTREP="${page}":At the gate.`, 'END:VEVENT'];
    expect((await parse('a.ics', event.join('\r\n'))).text).toBe('Drill\n\nAt the gate.');
  });

  test.each([
    ['BDAY:19650228', '1965-02-28'],
    ['BDAY:1965-02-28T00:00:00Z', '1965-02-28'],
    ['BDAY:19650228T063000Z', '1965-02-28 06:30 UTC'],
    ['BDAY:1965-02-28T06:30:00+02:00', '1965-02-28 06:30 +02:00'],
    ['BDAY:--0512', '12 May'],
    ['BDAY:--05-12', '12 May'],
    ['BDAY;X-APPLE-OMIT-YEAR=1604:1604-05-12', '12 May'],
    ['BDAY:1965-02', 'February 1965'],
    ['BDAY:--05', 'May'],
    ['BDAY:1965', '1965'],
    ['BDAY:---22', '---22'],
    ['BDAY:1965-13-40', '1965-13-40'],
    ['BDAY;VALUE=text:circa 1800', 'circa 1800'],
  ])('the birthday %s is %s', async (line, day) => {
    const card = ['BEGIN:VCARD', 'FN:Ann', line, 'END:VCARD'].join('\r\n');
    expect((await parse('a.vcf', card)).text).toBe(`Ann\n\nBirthday (born): ${day}`);
  });

  test.each([
    ['DESCRIPTION:Agenda:<br><ul><li>Keys</li><li>Fuel &amp\\; oil</li></ul>', 'Agenda:\n\n- Keys\n- Fuel & oil'],
    ['DESCRIPTION:Call <a href="https://x.example/a">here</a>\\nor come.', 'Call here (https://x.example/a)\nor come.'],
    ['X-ALT-DESC;FMTTYPE=text/html:<!DOCTYPE HTML><BODY>\\n<P>At the gate.</P></BODY>', 'At the gate.'],
    ['DESCRIPTION:If a < b and <ok> then c > d', 'If a < b and <ok> then c > d'],
  ])('a description in HTML is read without its tags: %s', async (line, text) => {
    const event = ['BEGIN:VEVENT', 'SUMMARY:Drill', line, 'END:VEVENT'];
    expect((await parse('a.ics', event.join('\r\n'))).text).toBe(`Drill\n\n${text}`);
  });

  test('a contact says where somebody works and lives, and what each number is for, in words of questions', async () => {
    const card = [
      'BEGIN:VCARD',
      'FN:Ann Poole',
      'ORG:Harbour Board;Lights',
      'TITLE:Keeper',
      'TEL;TYPE=CELL:1',
      'EMAIL;TYPE=HOME:a@example.org',
      'ADR;TYPE=HOME:;;Hill 9;Os;;;',
      'END:VCARD',
      'BEGIN:VCARD',
      'KIND:org',
      'FN:Board',
      'ORG:Harbour Board',
      'END:VCARD',
    ];
    expect((await parse('a.vcf', card.join('\r\n'))).text.split('\n').filter((line) => line !== '')).toEqual([
      'Ann Poole',
      'Works at (organisation): Harbour Board, Lights',
      'Job title: Keeper',
      'Phone (mobile, cell): 1',
      'Email (home, private): a@example.org',
      'Address (home, lives at): Hill 9, Os',
      'Board',
      'Organisation: Harbour Board',
    ]);
  });

  test('what a contact leaves empty is not said', async () => {
    const card = ['BEGIN:VCARD', 'FN:Ann', 'TEL;WORK:', 'ADR;HOME:;;;;;;', 'EMAIL:a@example.org', 'END:VCARD'];
    expect((await parse('a.vcf', card.join('\r\n'))).text).toBe('Ann\n\nEmail: a@example.org');
  });

  test('the start of a repeated event says that it is not the only one', async () => {
    const event = [
      'BEGIN:VEVENT',
      'SUMMARY:Drill',
      'DTSTART:20270203T140000Z',
      'RRULE:FREQ=MONTHLY;BYDAY=1WE',
      'END:VEVENT',
    ];
    expect((await parse('a.ics', event.join('\r\n'))).text).toBe(
      'Drill\n\nStart: 2027-02-03 14:00 UTC, repeats every month on the first Wednesday',
    );
  });

  test('a repeated event says on which days it is not, or also, and which one was moved', async () => {
    const event = (...lines: readonly string[]): string => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n');
    const source = [
      'BEGIN:VCALENDAR',
      event(
        'SUMMARY:Stand-up',
        'RRULE:FREQ=WEEKLY;BYDAY=MO',
        'EXDATE;TZID=Europe/Oslo:20250310T090000,20250317T090000',
        'RDATE;VALUE=DATE:20250311',
      ),
      event('SUMMARY:Stand-up', 'RECURRENCE-ID:20250324T080000Z', 'DTSTART:20250324T100000Z'),
      'END:VCALENDAR',
    ];
    expect((await parse('a.ics', source.join('\r\n'))).text.split('\n\n')).toEqual([
      'Stand-up',
      'Repeats: every week on Monday\nAlso on: 2025-03-11\nNot on: 2025-03-10 09:00 Europe/Oslo, 2025-03-17 09:00 Europe/Oslo',
      'Stand-up',
      'Start: 2025-03-24 10:00 UTC\nInstead of: 2025-03-24 08:00 UTC',
    ]);
  });

  test('an event of whole days says its last day, not the day after it', async () => {
    const event = (name: string, ...lines: readonly string[]): string[] => [
      'BEGIN:VEVENT',
      `SUMMARY:${name}`,
      ...lines,
      'END:VEVENT',
    ];
    const source = [
      'BEGIN:VCALENDAR',
      ...event('Holiday', 'DTSTART;VALUE=DATE:20250312', 'DTEND;VALUE=DATE:20250313'),
      ...event('Fair', 'DTSTART;VALUE=DATE:20250227', 'DTEND;VALUE=DATE:20250302'),
      ...event('Strike', 'DTSTART;VALUE=DATE:20250312', 'DURATION:P1D'),
      ...event('Leave', 'DTSTART;VALUE=DATE:20251222', 'DURATION:P2W'),
      ...event('Wrong', 'DTSTART;VALUE=DATE:20251222', 'DURATION:P99999999999D'),
      ...event('Call', 'DTSTART:20250312T090000', 'DTEND:20250313T090000'),
      ...event('Watch', 'DTSTART:20250312T090000', 'DURATION:P1D'),
      'END:VCALENDAR',
    ];
    const { text } = await parse('a.ics', source.join('\r\n'));
    expect(text.split('\n\n').filter((_, i) => i % 2 === 1)).toEqual([
      'Start: 2025-03-12',
      'Start: 2025-02-27\nEnd: 2025-03-01',
      'Start: 2025-03-12',
      'Start: 2025-12-22\nEnd: 2026-01-04',
      'Start: 2025-12-22\nDuration: 99999999999 days',
      'Start: 2025-03-12 09:00\nEnd: 2025-03-13 09:00',
      'Start: 2025-03-12 09:00\nDuration: 1 day',
    ]);
  });
});

describe('folds, ends and brackets that programs get wrong', () => {
  test.each([
    ['ics', 'BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'SUMMARY:Prüfung – 検査', 'END:VEVENT', 'END:VCALENDAR'],
    ['vcf', 'BEGIN:VCARD', 'VERSION:3.0', 'FN:Prüfung – 検査', 'END:VCARD'],
  ])('%s: a fold inside a character leaves it whole', async (format, ...lines) => {
    const bytes = Buffer.from(lines.join('\r\n'));
    const [from, to] = [bytes.indexOf('Pr'), bytes.indexOf('\r\nEND')];
    for (let at = from + 1; at < to; at++) {
      const folded = Buffer.concat([bytes.subarray(0, at), Buffer.from('\r\n '), bytes.subarray(at)]);
      const { text, warnings } = await parse(`a.${format}`, folded);
      expect(text.split('\n')[0]).toBe('Prüfung – 検査');
      expect(warnings).toEqual([]);
    }
  });

  test('a long text that is folded as quoted-printable costs time by its length alone', {
    timeout: 10_000,
  }, async () => {
    const note = `${`${'=41'.repeat(25)}=\n`.repeat(20_000)}end`;
    const source = `BEGIN:VCARD\nVERSION:2.1\nFN:Ann\nNOTE;ENCODING=QUOTED-PRINTABLE:${note}\nTEL:1\nEND:VCARD\n`;
    const { text } = await parse('a.vcf', source);
    expect(text === `Ann\n\nPhone: 1\n\n${'A'.repeat(500_000)}end`).toBe(true);
  });

  test('an event without an end does not swallow the next one', async () => {
    const source = ['VCALENDAR', 'VEVENT\nSUMMARY:One', 'VEVENT\nSUMMARY:Two\nEND:VEVENT\nEND:VCALENDAR'];
    const document = await parse('a.ics', source.map((part) => `BEGIN:${part}`).join('\n'));
    expect(document.text.split('\n\n')).toEqual(['One', 'Two']);
    expect(document.metadata.entries).toBe(2);
  });

  test('addresses as Google escapes them; a place without a name is not said', async () => {
    const { text } = await parse('a.vcf', 'BEGIN:VCARD\nFN:Ann\nURL:https\\://ann.example\nEND:VCARD\n');
    expect(text).toBe('Ann\n\nLink: https://ann.example');
    const event = 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Tea\nLOCATION:\nEND:VEVENT\nEND:VCALENDAR\n';
    expect((await parse('a.ics', event)).text).toBe('Tea');
  });

  test('what stands behind the card of an agent belongs to the card around it', async () => {
    const agent = 'BEGIN:VCARD\nFN:Bo\nTEL:1\nEND:VCARD';
    const { text, metadata } = await parse(
      'a.vcf',
      `BEGIN:VCARD\nFN:Ann\nAGENT:\n${agent}\nTEL:2\nEND:VCARD\n${agent}`,
    );
    expect(text.split('\n\n')).toEqual(['Bo', 'Phone: 1', 'Ann', 'Phone: 2', 'Bo', 'Phone: 1']);
    expect(metadata.contacts).toBe(3);
  });

  test('busy times are read, and quotes in a name', async () => {
    const source = [
      'BEGIN:VCALENDAR',
      'BEGIN:VFREEBUSY',
      'ORGANIZER;CN="Ann ^\'Bo^\' Lee":mailto:ann@example.org',
      'FREEBUSY:20250305T090000Z/PT1H,20250305T130000Z/20250305T140000Z',
      'END:VFREEBUSY',
      'END:VCALENDAR',
    ];
    expect((await parse('a.ifb', source.join('\r\n'))).text).toBe(
      'Busy times\n\nBusy: 2025-03-05 09:00 UTC – PT1H, 2025-03-05 13:00 UTC – 2025-03-05 14:00 UTC\nOrganiser: Ann "Bo" Lee <ann@example.org>',
    );
  });

  test('a bracket without a partner in a value ends no entry', async () => {
    const source = '@article{a, title = {1) Pumps}, year = 1999}\n@misc(b, title = {Round (}, year = 2001)\n';
    const document = await parse('a.bib', source);
    expect(document.text.split('\n\n')).toEqual([
      '1) Pumps',
      'a (article)\nyear: 1999',
      'Round (',
      'b (misc)\nyear: 2001',
    ]);
    expect(document.warnings).toEqual([]);
  });

  test('addresses keep their characters', async () => {
    const source = String.raw`@misc{a, title = {Pages 1--2}, doi = {10.1000/a--b\_c},
      url = {https://x.example/~ann/a--b\%20c}, note = {See \url{https://y.example/~bo}, \href{https://z.example/~cy}{there}}}`;
    const { text } = await parse('a.bib', source);
    expect(text.split('\n')).toEqual([
      'Pages 1–2',
      '',
      'a (misc)',
      'doi: 10.1000/a--b_c',
      'url: https://x.example/~ann/a--b%20c',
      'note: See https://y.example/~bo, https://z.example/~cy there',
    ]);
  });
});
