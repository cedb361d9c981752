import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Chat, chatDocument, parseChat, parseSlackUsers } from '../../../pipelines/chats.ts';

const nobody: ReadonlyMap<string, string> = new Map();
const told = (chat: Chat | undefined): string[] | undefined =>
  chat?.turns.map(({ day, time, who, text }) => `${day}|${time}|${who}|${text}`);

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
    const document = chatDocument('chat.txt', {
      title: 'T',
      format: 'whatsapp',
      turns: [
        { day: 'Mon', time: '1:00', who: 'A', text: 'one' },
        { day: 'Mon', time: '1:01', who: '', text: 'two\nlines' },
        { day: 'Tue', time: '2:00', who: 'B', text: 'three' },
      ],
    });
    expect(document.text).toBe('Mon\n\nA: one\ntwo\nlines\n\nTue\n\nB: three\n');
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
          const { text, blocks, locators } = chatDocument('u', chat);
          expect(text.isWellFormed()).toBe(true);
          expect(text).not.toMatch(/[\0\r]/);
          let end = 0;
          for (const block of blocks) {
            expect(block.start).toBeGreaterThanOrEqual(end);
            expect(block.end).toBeGreaterThan(block.start);
            end = block.end;
          }
          expect(end).toBeLessThanOrEqual(text.length);
          expect(locators).toHaveLength(chat.turns.length);
        },
      ),
    );
  });
});
