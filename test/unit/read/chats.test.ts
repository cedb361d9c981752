import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Chat, parseChat as parse, parseSlackUsers } from '../../../src/read/chat/chats.ts';
import { chatDocument as documentOf } from '../../../src/read/chat/document.ts';
import { createReader } from '../../../src/read/reader.ts';
import { parseText } from '../../../src/read/text/text.ts';
import { tempFolder } from '../../support/temp.ts';
import { makeZip } from './formats-make.ts';

const parseChat = (
  content: string,
  name: string,
  folder: string,
  people: ReadonlyMap<string, string>,
): Chat | undefined => parse(content, { name, folder, people });
const chatDocument = (chat: Chat): ReturnType<typeof documentOf> => documentOf(chat, { maxTextChars: 1e8 });
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

describe('threads', () => {
  const slack = [
    { type: 'message', user: 'U1', ts: '1731815000.0', text: 'Is the crane free?', thread_ts: '1731815000.0' },
    { type: 'message', user: 'U2', ts: '1731815010.0', text: 'Lunch at noon' },
    {
      type: 'message',
      user: 'U2',
      ts: '1731815020.0',
      text: 'In May, yes',
      thread_ts: '1731815000.0',
      user_profile: { real_name: 'Tom' },
    },
    { type: 'message', user: 'U3', ts: '1731815030.0', text: 'An answer to an older day', thread_ts: '1731000000.0' },
  ];

  it('stay together where their first message stands, in one block', () => {
    const { text, blocks, locators, metadata } = chatDocument(
      parseChat(JSON.stringify(slack), '2024-11-17.json', 'ops', nobody)!,
    );
    expect(blocks.map(({ start, end }) => text.slice(start, end))).toEqual([
      '2024-11-17',
      'U1: Is the crane free?\nTom: In May, yes',
      'Tom: Lunch at noon',
      'In reply to the message of 2024-11-07 17:20\nU3: An answer to an older day',
    ]);
    expect(locators.map(({ part }) => part)).toContain('2024-11-17 03:43 Tom');
    expect(metadata).toEqual({ messages: 4, from: 'U1, Tom, U3', firstDay: '2024-11-17', lastDay: '2024-11-17' });
  });

  it('a message that an export gives out of its time turns no thread round', () => {
    const slack = [
      { user: 'U1', ts: '1709716502.000100', thread_ts: '1709716502.000100', text: 'Who has the key?' },
      { user: 'U2', ts: '1709716520.0', thread_ts: '1709716502.000100', text: 'I have it' },
      { user: 'U3', ts: '1709716530.0', text: 'Lunch?' },
      { user: 'U3', ts: '1709716501.0', text: 'has joined' },
    ].map((message) => ({ type: 'message', ...message }));
    expect(told(parseChat(JSON.stringify(slack), 'a.json', 'a', nobody))?.map((line) => line.split('|')[3])).toEqual([
      'has joined',
      'Who has the key?',
      'I have it',
      'Lunch?',
    ]);
    const graph = (id: string, minute: string, content: string | undefined, replyToId?: string): object => ({
      id,
      replyToId,
      messageType: content === undefined ? 'systemEventMessage' : 'message',
      createdDateTime: `2024-03-06T09:${minute}:02Z`,
      from: { user: { displayName: 'Ann' } },
      body: { contentType: 'html', content: content ?? '<systemEventMessage/>' },
    });
    const teams = [
      graph('2', '16', 'I have it', '1'),
      graph('1', '15', 'Who has the key?'),
      graph('3', '17', undefined),
    ];
    const { text } = chatDocument(parseChat(JSON.stringify({ value: teams }), 'teams.json', 'a', nobody)!);
    expect(text).toBe('2024-03-06\n\nAnn: Who has the key?\nAnn: I have it');
  });

  it('Discord: answers follow what they answer', () => {
    const chat = parseChat(
      JSON.stringify({
        guild: { name: 'Station' },
        channel: { name: 'general' },
        messages: [
          {
            id: '1',
            timestamp: '2024-05-17T09:30:00.1+00:00',
            content: 'Who has the key?',
            author: { name: 'ada', nickname: 'Ada' },
          },
          { id: '2', timestamp: '2024-05-17T09:31:00+00:00', content: 'Good morning', author: { name: 'tom' } },
          {
            id: '3',
            type: 'Reply',
            timestamp: '2024-05-17T09:32:00+00:00',
            content: 'I do',
            author: { name: 'tom' },
            reference: { messageId: '1' },
          },
          { id: '4', timestamp: '2024-05-17T09:33:00+00:00', content: '', author: { name: 'tom' } },
        ],
      }),
      'general.json',
      'x',
      nobody,
    )!;
    expect([chat.title, chat.format]).toEqual(['Station, #general', 'discord']);
    expect(chatDocument(chat).text).toBe('2024-05-17\n\nAda: Who has the key?\ntom: I do\n\ntom: Good morning');
  });

  it('Teams: messages of Graph, with replies, and a personal account', () => {
    const message = (id: string, name: string, content: string, more: object = {}): object => ({
      id,
      createdDateTime: '2024-05-17T09:30:00Z',
      from: { user: { displayName: name } },
      body: { contentType: 'html', content },
      ...more,
    });
    const graph = parseChat(
      JSON.stringify({
        value: [
          message('1', 'Ada', '<p>Is it <b>done</b>?</p>'),
          message('3', 'Eve', 'Other'),
          message('2', 'Tom', 'Yes &amp; no', { replyToId: '1' }),
        ],
      }),
      'channel.json',
      'x',
      nobody,
    )!;
    expect(chatDocument(graph).text).toBe('2024-05-17\n\nAda: Is it done?\nTom: Yes & no\n\nEve: Other');
    const nested = parseChat(
      JSON.stringify([message('1', 'Ada', 'a', { replies: [message('2', 'Tom', 'b', { replyToId: '1' })] })]),
      'c.json',
      'x',
      nobody,
    )!;
    expect(nested.turns.map(({ text }) => text)).toEqual(['a', 'b']);
    const asked = { createdDateTime: '2024-05-17T09:30:00Z' };
    const answered = { createdDateTime: '2024-05-17T09:30:40Z' };
    const newestFirst = { value: [message('2', 'Tom', 'b', answered), message('1', 'Ada', 'a', asked)] };
    const turned = parseChat(JSON.stringify(newestFirst), 'c.json', 'x', nobody)!;
    expect(turned.turns.map(({ text }) => text)).toEqual(['a', 'b']);
    const said = (time: string, content: string): object => ({
      originalarrivaltime: `2024-05-17T09:30:${time}Z`,
      messagetype: 'Text',
      content,
    });
    const inOrder = { conversations: [{ MessageList: [said('01', 'First'), said('09', 'Second')] }] };
    const kept = parseChat(JSON.stringify(inOrder), 'messages.json', 'x', nobody)!;
    expect(kept.turns.map(({ text }) => text)).toEqual(['First', 'Second']);
    const account = parseChat(
      JSON.stringify({
        conversations: [
          {
            displayName: 'Boat',
            MessageList: [
              {
                originalarrivaltime: '2024-05-18T09:30:00Z',
                messagetype: 'RichText',
                content: 'Second',
                displayName: 'Tom',
              },
              { originalarrivaltime: '2024-05-17T09:30:00Z', messagetype: 'Text', content: 'First', from: '8:ada' },
              { originalarrivaltime: '2024-05-16T09:30:00Z', messagetype: 'ThreadActivity/AddMember', content: '<x/>' },
            ],
          },
        ],
      }),
      'messages.json',
      'x',
      nobody,
    )!;
    expect(told(account)).toEqual(['Boat, 2024-05-17|09:30|8:ada|First', 'Boat, 2024-05-18|09:30|Tom|Second']);
  });

  it('are read from plain folders and archives, with the names of users.json; other JSON stays JSON', async () => {
    const day = JSON.stringify(slack);
    const users = JSON.stringify([{ id: 'U1', real_name: 'Ailsa' }]);
    const folder = tempFolder({ 'export/users.json': users, 'export/ops/2024-11-17.json': day });
    await using reader = createReader();
    const uri = 'export/ops/2024-11-17.json';
    const path = join(folder, uri);
    const document = await reader.read({ path, uri });
    expect(document).toMatchObject({ format: 'slack', title: '#ops, 2024-11-17' });
    expect(document.text).toContain('Ailsa: Is the crane free?\nTom: In May, yes');
    expect((await reader.read({ bytes: Buffer.from(day), uri, from: path })).text).toBe(document.text);
    const zip = makeZip({ 'ops/2024-11-17.json': day, 'users.json': users });
    expect((await reader.read({ bytes: zip, uri: 'export.zip' })).text).toContain('Ailsa: Is the crane free?');
    const other = JSON.stringify({ messages: [{ id: 1, body: 'no chat' }] });
    expect((await reader.read({ bytes: Buffer.from(other), uri: 'a.json' })).format).toBe('json');
    for (const log of [
      '2024-05-17 10:14 - app: started',
      '2024-05-17 10:14:33 - app - INFO: started',
      '[2024-05-17 10:14:33] local.ERROR: it broke',
    ])
      expect((await reader.read({ bytes: Buffer.from(log), uri: 'a.txt' })).format).toBe('text');
    const talk = '05/03/2025, 10:14 - Tom: Is the crane free?';
    expect((await reader.read({ bytes: Buffer.from(talk), uri: 'a.txt' })).format).toBe('whatsapp');
  });
});
