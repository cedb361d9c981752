import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSlackUsers } from '../../../src/read/chat/chats.ts';
import { parseText } from '../../../src/read/text/text.ts';
import { chatDocument, nobody, parseChat, told } from '../../support/chats.ts';

describe('Slack', () => {
  const users = parseSlackUsers(
    JSON.stringify([
      { id: 'U1', name: 'ailsa', profile: { display_name: '', real_name: 'Ailsa Munro' } },
      { id: 'U2', name: 'tom' },
      { name: 'no id' },
    ]),
  );

  it('names the people, reads the marks, leaves out what says nothing', () => {
    const chat = parseChat(
      JSON.stringify([
        {
          type: 'message',
          user: 'U1',
          ts: '1731815000.000100',
          text: '<@U2> is the <https://solan.example|barge> free? &lt;soon&gt; &amp; cheap',
        },
        { type: 'message', user: 'U2', ts: '1731815065.000200', text: 'see <#C9|harbour>, <@U7>' },
        { type: 'message', user: 'U9', ts: '1731815070.0', text: 'hello', user_profile: { real_name: 'Guest' } },
        { type: 'message', user: 'U2', ts: '1731815080.0', text: '' },
        { type: 'message', ts: 'never', text: 'no time' },
      ]),
      '2024-11-17.json',
      'operations',
      users,
    );
    // 1731815000 s = 2024-11-17T03:43:20Z
    expect(told(chat)).toEqual([
      '2024-11-17|03:43|Ailsa Munro|@tom is the barge (https://solan.example) free? <soon> & cheap',
      '2024-11-17|03:44|tom|see #harbour, @U7',
      '2024-11-17|03:44|Guest|hello',
    ]);
    expect(chat!.title).toBe('#operations, 2024-11-17');
  });

  it('a reply whose thread began in another file says what it answers', () => {
    const chat = parseChat(
      JSON.stringify([
        { type: 'message', user: 'U2', ts: '1731901400.0', text: 'a new matter' },
        {
          type: 'message',
          user: 'U2',
          ts: '1731901500.0',
          thread_ts: '1731815000.000100',
          parent_user_id: 'U1',
          text: 'yes, it is free',
        },
        {
          type: 'message',
          user: 'U9',
          ts: '1731901600.0',
          thread_ts: '1731815000.000100',
          parent_user_id: 'U1',
          text: 'good',
        },
        {
          type: 'message',
          user: 'U1',
          ts: '1731901700.0',
          thread_ts: '1731901400.0',
          parent_user_id: 'U2',
          text: 'which?',
        },
        {
          type: 'message',
          subtype: 'thread_broadcast',
          user: 'U1',
          ts: '1731901800.0',
          thread_ts: '1731728600.0',
          root: { user: 'U2', ts: '1731728600.0', text: 'Who has the <#C9|harbour> key?' },
          text: 'I have it',
        },
        { type: 'message', user: 'U1', ts: '1731901900.0', thread_ts: 'odd', text: 'no time' },
      ]),
      '2024-11-18.json',
      'operations',
      users,
    );
    // 1731815000 s = 2024-11-17T03:43:20Z, a day of 86,400 s later is 1731901400 s; a day before is 1731728600 s.
    expect(chatDocument(chat!).text.split('\n\n')).toEqual([
      '2024-11-18',
      'tom: a new matter\nAilsa Munro: which?',
      'In reply to Ailsa Munro, 2024-11-17 03:43\ntom: yes, it is free\nU9: good',
      'In reply to tom, 2024-11-16 03:43: Who has the #harbour key?\nAilsa Munro: I have it',
      'Ailsa Munro: no time',
    ]);
  });

  it('a users.json that is damaged or missing leaves the ids', () => {
    expect(parseSlackUsers('{').size).toBe(0);
    expect(parseSlackUsers('{}').size).toBe(0);
  });
});

describe('Telegram', () => {
  const messages = [
    { id: 1, type: 'service', date: '2025-01-29T11:40:00', actor: 'Tom', action: 'create_group' },
    { id: 2, type: 'message', date: '2025-01-29T11:41:46', from: 'Tom', text: 'Solan is booked' },
    {
      id: 3,
      type: 'message',
      date: '2025-01-30T08:00:00',
      from: 'Priya',
      text: ['see ', { type: 'link', text: 'https://x.example' }, '!'],
    },
    { id: 4, type: 'message', date: '2025-01-30T08:01:00', from: 'Priya', text: '', media_type: 'sticker' },
  ];

  it('one chat', () => {
    const chat = parseChat(
      JSON.stringify({ name: 'Boat', type: 'private_group', messages }),
      'result.json',
      'x',
      nobody,
    );
    expect(told(chat)).toEqual([
      '2025-01-29|11:41|Tom|Solan is booked',
      '2025-01-30|08:00|Priya|see https://x.example!',
    ]);
    expect(chat).toMatchObject({ title: 'Boat', format: 'telegram' });
  });

  it('a whole account: the day says which chat', () => {
    const chat = parseChat(
      JSON.stringify({
        chats: {
          list: [
            { name: 'Boat', messages },
            { name: 'Empty', messages: [] },
          ],
        },
      }),
      'result.json',
      'x',
      nobody,
    );
    expect(chat!.turns.map(({ day }) => day)).toEqual(['Boat, 2025-01-29', 'Boat, 2025-01-30']);
  });

  it('groups that were left are read too', () => {
    const account = {
      chats: { list: [{ name: 'Boat', messages }] },
      left_chats: { list: [{ name: 'Pier', messages }] },
    };
    const chat = parseChat(JSON.stringify(account), 'result.json', 'x', nobody);
    expect(new Set(chat!.turns.map(({ day }) => day.split(',')[0]))).toEqual(new Set(['Boat', 'Pier']));
  });
});

describe('WhatsApp', () => {
  it.each([
    [
      'iOS',
      '[05/03/2025, 10:14:33] Tom: Is the crane free?\r\n\u200e[05/03/2025, 10:15:00] Ailsa Munro: No.\r\n\r\nMaybe in May.',
    ],
    [
      'Android',
      '05/03/2025, 10:14:33 - Tom: Is the crane free?\n05/03/2025, 10:15:00 - Ailsa Munro: No.\n\nMaybe in May.\n',
    ],
  ])('%s', (_, content) => {
    expect(told(parseChat(content, 'WhatsApp Chat with Tom.txt', 'x', nobody))).toEqual([
      '05/03/2025|10:14:33|Tom|Is the crane free?',
      '05/03/2025|10:15:00|Ailsa Munro|No.\n\nMaybe in May.',
    ]);
  });

  it('12-hour clocks, points for slashes, messages of the system, colons in what is said', () => {
    const content = '3.5.25, 9:14\u202fPM - Messages are encrypted\n3.5.25, 9:15\u202fPM - Tom: at 9:30: the pier';
    expect(told(parseChat(content, 'chat.txt', 'x', nobody))).toEqual([
      '3.5.25|9:14\u202fPM||Messages are encrypted',
      '3.5.25|9:15\u202fPM|Tom|at 9:30: the pier',
    ]);
  });

  it('the name of a group with a colon in it makes nobody a speaker', () => {
    const said = [
      'Bo changed the subject from "a" to "Plan: B"',
      'Bo hat „Boot: Mai“ erstellt',
      'Al "Ed" Poe: "so: yes"',
    ];
    const content = said.map((line) => `3/5/25, 9:14 - ${line}`).join('\n');
    expect(told(parseChat(content, 'chat.txt', 'x', nobody))).toEqual([
      `3/5/25|9:14||${said[0]}`,
      `3/5/25|9:14||${said[1]}`,
      '3/5/25|9:14|Al "Ed" Poe|"so: yes"',
    ]);
  });

  it.each([
    ['[12. 3. 2025 14:05:33] Ann: Ahoj', '12. 3. 2025|14:05:33'],
    ['12.3.2025 klo 14.05 - Ann: Hei', '12.3.2025|14.05'],
    ['12/03/2025 à 14:05 - Ann: Bonjour', '12/03/2025|14:05'],
    ['2025. 03. 12. 14:05 - Ann: Szia', '2025. 03. 12.|14:05'],
    ['2025년 3월 12일 오후 2:05, Ann: 안녕', '2025년 3월 12일|오후 2:05'],
    ['[2025. 3. 12. 오후 2:05:33] Ann: 안녕', '2025. 3. 12.|오후 2:05:33'],
    ['2025/3/12 下午2:05 - Ann: 你好', '2025/3/12|下午2:05'],
    ['12/3/25, 2:05 CH - Ann: Chào', '12/3/25|2:05 CH'],
    ['12/3/25, 2:05 μ.μ. - Ann: Γεια', '12/3/25|2:05 μ.μ.'],
    ['12.03.25 г., 14:05 ч. - Ann: Здравей', '12.03.25 г.|14:05 ч.'],
    ['\u200f12/3/2025، 2:05 م - Ann: مرحبا', '12/3/2025|2:05 م'],
    ['١٢/٣/٢٠٢٥، ٢:٠٥ م - Ann: مرحبا', '١٢/٣/٢٠٢٥|٢:٠٥ م'],
  ])('%s', (line, time) => {
    const text = line.slice(line.indexOf('Ann: ') + 5);
    expect(told(parseChat(line, 'chat.txt', 'x', nobody))).toEqual([`${time}|Ann|${text}`]);
    expect(parseText(line, { name: 'chat.txt', maxTextChars: 1e6 }).format).toBe('whatsapp');
  });
});

describe('what is no chat', () => {
  it.each([
    ['a.json', '{"a": 1}'],
    ['a.json', '[1, 2]'],
    ['a.json', '[]'],
    ['a.json', '[{"type": "message"}]'],
    ['a.json', 'broken'],
    ['a.json', 'null'],
    ['a.txt', 'Just some notes.\n[05/03/2025, 10:14:33] Tom: hello'],
    ['a.txt', ''],
  ])('%s %j is left to the reader', (name, content) => {
    expect(parseChat(content, name, 'x', nobody)).toBeUndefined();
  });
});

describe('chatDocument', () => {
  it('has a heading per day and a locator per message', () => {
    const document = chatDocument({
      title: 'T',
      format: 'whatsapp',
      turns: [
        { day: 'Mon', time: '1:00', who: 'A', text: 'one' },
        { day: 'Mon', time: '1:01', who: '', text: 'two\nlines' },
        { day: 'Tue', time: '2:00', who: 'B', text: 'three' },
      ],
    });
    expect(document.text).toBe('Mon\n\nA: one\n\ntwo\nlines\n\nTue\n\nB: three');
    expect(document.blocks.map(({ kind, start, end }) => [kind, document.text.slice(start, end)])).toEqual([
      ['heading', 'Mon'],
      ['cue', 'A: one'],
      ['cue', 'two\nlines'],
      ['heading', 'Tue'],
      ['cue', 'B: three'],
    ]);
    expect(document.locators.map(({ start, end, part }) => [part, document.text.slice(start, end)])).toEqual([
      ['Mon 1:00 A', 'A: one'],
      ['Mon 1:01', 'two\nlines'],
      ['Tue 2:00 B', 'B: three'],
    ]);
  });

  it('keeps the rules of a document whatever is said', () => {
    const said = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(
        fc.array(fc.record({ from: said, text: said, day: fc.integer({ min: 1, max: 3 }) }), { maxLength: 8 }),
        (list) => {
          const messages = list.map(({ from, text, day }) => ({
            type: 'message',
            date: `2025-01-0${day}T10:00:00`,
            from,
            text,
          }));
          const chat = parseChat(JSON.stringify({ messages }), 'result.json', 'x', nobody);
          if (chat === undefined) return;
          const { text, blocks, locators } = chatDocument(chat);
          expect(text.isWellFormed()).toBe(true);
          expect(text).not.toMatch(/[\0\r]/);
          let end = 0;
          for (const block of blocks) {
            expect(block.start).toBeGreaterThanOrEqual(end);
            expect(block.end).toBeGreaterThan(block.start);
            end = block.end;
          }
          expect(end).toBeLessThanOrEqual(text.length);
          // neighbours of one minute and one person share a locator
          const parts = chat.turns.map(({ day, time, who }) =>
            [day, time, who].filter((word) => word !== '').join(' '),
          );
          expect(locators.map(({ part }) => part)).toEqual(parts.filter((part, i) => part !== parts[i - 1]));
        },
      ),
    );
  });
});
