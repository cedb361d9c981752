import { describe, expect, it } from 'vitest';
import { parseChat } from '../../../src/read/chat/chats.ts';

describe('messages that say something beside their text, or instead of it', () => {
  const read = (value: unknown, name: string): string[] | undefined =>
    parseChat(JSON.stringify(value), { name })?.turns.map(({ who, text }) => `${who}|${text}`);

  it('Slack: people, channels and signs in the blocks of a message without text', () => {
    const elements = [
      { type: 'text', text: 'Thanks ' },
      { type: 'user', user_id: 'U2' },
      { type: 'text', text: ' in ' },
      { type: 'channel', channel_id: 'C9' },
      { type: 'emoji', name: 'tada' },
    ];
    const blocks = [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }];
    const message = { type: 'message', user: 'U1', ts: '1731815000.000100', text: '', blocks };
    const named = { ...message, user: 'U2', user_profile: { display_name: 'Bo' }, text: 'see <#C9|> and <#C7>' };
    expect(read([message, named], 'a.json')).toEqual(['U1|Thanks @Bo in #C9:tada:', 'Bo|see #C9 and #C7']);
  });

  it('Slack: cards of bots, blocks, files, marks of groups', () => {
    const message = (fields: object): object => ({ type: 'message', user: 'U1', ts: '1731815000.000100', ...fields });
    const text = { type: 'text', text: 'Only a block' };
    const card = {
      fallback: 'x',
      title: 'Crane 3',
      text: 'It stands still.',
      fields: [{ title: 'Since', value: 'May' }],
    };
    expect(
      read(
        [
          message({
            text: '',
            bot_profile: { name: 'Watch' },
            user: undefined,
            attachments: [card, { fallback: 'Quay 7' }],
          }),
          message({
            text: '',
            blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [text] }] }],
          }),
          message({ text: 'see', files: [{ name: 'plan.pdf' }], blocks: [{ type: 'section', text }] }),
          message({ text: '<!here> <!subteam^S1|@crew> <!date^1^{date}|4 May>' }),
        ],
        '2024-11-17.json',
      ),
    ).toEqual([
      'Watch|Crane 3\nIt stands still.\nSince: May\nQuay 7',
      'U1|Only a block',
      'U1|see\nOnly a block\nAttachment: plan.pdf',
      'U1|@here @crew 4 May',
    ]);
  });

  it('Slack: tables, pictures and what a summary leaves out; the name of a file beside its title', () => {
    const blocks = [
      { type: 'section', text: { type: 'mrkdwn', text: 'Tides of  May' } },
      { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'Written' }] }] },
      { type: 'image', title: { type: 'plain_text', text: 'Curve' }, alt_text: 'High water at nine' },
      {
        type: 'table',
        rows: [
          [
            { type: 'raw_text', text: 'Day' },
            { type: 'raw_text', text: 'Metres' },
          ],
          'none',
        ],
      },
    ];
    const message = { type: 'message', user: 'U1', ts: '1731834000.000100' };
    expect(
      read(
        [
          { ...message, text: 'Tides of May', blocks },
          { ...message, text: '', files: [{ name: '1.pdf', title: 'The plan' }] },
          { ...message, text: '', attachments: [{ author_name: 'Cy', text: 'It is out.', footer: 'Thread in #crew' }] },
        ],
        '2024-11-17.json',
      ),
    ).toEqual([
      'U1|Tides of May\nCurve\nHigh water at nine\nDay | Metres',
      'U1|Attachment: The plan (1.pdf)',
      'U1|Cy\nIt is out.\nThread in #crew',
    ]);
  });

  it('Teams: tables in messages and on cards, and text in runs', () => {
    const message = { createdDateTime: '2025-03-05T10:14:00Z', from: { user: { displayName: 'Ann' } } };
    const content =
      '<p>Fees</p><table><tr><th>Berth</th><th>Fee</th></tr><tr><td>North</td>\n<td>12</td></tr></table><pre>x</pre>End';
    const cell = (text: string): object => ({ items: [{ type: 'TextBlock', text }] });
    const body = [
      { type: 'Table', columns: [{ width: 1 }], rows: [{ cells: [cell('Lamp'), cell('out')] }] },
      { type: 'RichTextBlock', inlines: [{ text: 'It is ' }, { text: 'dark' }] },
    ];
    const attachments = [{ contentType: 'application/vnd.microsoft.card.adaptive', content: JSON.stringify({ body }) }];
    expect(
      read(
        [
          { ...message, body: { contentType: 'html', content } },
          { ...message, body: { contentType: 'html', content: '' }, attachments },
        ],
        'chat.json',
      ),
    ).toEqual(['Ann|Fees\nBerth | Fee\nNorth | 12\nx\nEnd', 'Ann|Lamp | out\nIt is dark']);
  });

  it('Telegram: who wrote a forwarded message, a place, and words of a person who has left', () => {
    const message = { type: 'message', date: '2025-01-29T11:41:46', from: 'Tom', from_id: 'user1', text: '' };
    const messages = [
      { ...message, forwarded_from: 'Cy', text: 'The pump is on.' },
      { ...message, forwarded_from: 'Cy', media_type: 'sticker' },
      { ...message, location_information: { latitude: 60.39, longitude: 5.32 } },
      { ...message, from: null, from_id: 'user9', text: 'Goodbye.' },
    ];
    expect(read({ name: 'Boat', messages }, 'result.json')).toEqual([
      'Tom|Forwarded from Cy:\nThe pump is on.',
      'Tom|Location: 60.39, 5.32',
      'Deleted Account|Goodbye.',
    ]);
  });

  it('Telegram: tracks by their names, and what the system says of groups, people and topics', () => {
    const at = { date: '2025-01-29T11:41:46' };
    const messages = [
      { ...at, type: 'service', actor: 'Tom', action: 'create_group', title: 'Boat', members: ['Tom', null, 'Ann'] },
      { ...at, type: 'service', actor: 'Ann', action: 'topic_edit', new_title: 'Tides' },
      { ...at, type: 'service', actor: 'Ann', action: 'pin_message', message_id: 4 },
      { ...at, type: 'message', from: 'Ann', text: '', media_type: 'audio_file', performer: 'Bo', title: 'Low water' },
      { ...at, type: 'message', from: 'Ann', text: '', media_type: 'audio_file', file_name: '1.mp3', title: 'Ebb' },
    ];
    expect(read({ name: 'Boat', messages }, 'result.json')).toEqual([
      '|Tom: create group: Boat, Tom, Ann',
      '|Ann: topic edit: Tides',
      'Ann|Attachment: Bo – Low water',
      'Ann|Attachment: 1.mp3\nEbb',
    ]);
  });

  it('Telegram: polls, contacts, places, files', () => {
    const message = (fields: object): object => ({
      type: 'message',
      date: '2025-01-29T11:41:46',
      from: 'Tom',
      text: '',
      ...fields,
    });
    expect(
      read(
        {
          name: 'Boat',
          messages: [
            message({ poll: { question: 'When?', answers: [{ text: 'May' }, { text: 'June' }] } }),
            message({
              poll: {
                question: { text: 'Which soup?' },
                answers: [
                  { text: [{ type: 'plain', text: 'Leek' }], voters: 3 },
                  { text: 'Pea', voters: 1 },
                ],
              },
            }),
            message({ todo_list: { title: 'For the trip', items: [{ text: 'Buy rope' }, { text: 'Oil it' }] } }),
            message({ contact_information: { first_name: 'Jo', last_name: '', phone_number: '+47 1' } }),
            message({ place_name: 'Quay 7', address: 'Harbour street' }),
            message({ text: 'the plan', file_name: 'plan.pdf' }),
            message({ media_type: 'sticker', file_name: 'sticker.webp' }),
          ],
        },
        'result.json',
      ),
    ).toEqual([
      'Tom|When?\n- May\n- June',
      'Tom|Which soup?\n- Leek (3 votes)\n- Pea (1 vote)',
      'Tom|For the trip\n- Buy rope\n- Oil it',
      'Tom|Jo +47 1',
      'Tom|Quay 7\nHarbour street',
      'Tom|the plan\nAttachment: plan.pdf',
    ]);
  });

  it('Discord: embeds and files', () => {
    const embed = { title: 'Crane 3', description: 'It stands still.', fields: [{ name: 'Since', value: 'May' }] };
    const message = { timestamp: '2024-03-12T10:00:00+00:00', author: { name: 'bot' }, content: '' };
    expect(
      read(
        { channel: { name: 'ops' }, messages: [{ ...message, embeds: [embed], attachments: [{ fileName: 'a.log' }] }] },
        'a.json',
      ),
    ).toEqual(['bot|Crane 3\nIt stands still.\nSince: May\nAttachment: a.log']);
  });

  it('Teams: subjects, cards, files, and the characters that HTML writes as numbers', () => {
    const message = { createdDateTime: '2024-03-12T10:00:00Z', from: { user: { displayName: 'Ann' } } };
    const html = (content: string): object => ({ contentType: 'html', content });
    const card = JSON.stringify({
      body: [
        { type: 'TextBlock', text: 'Done' },
        { type: 'FactSet', facts: [{ title: 'By', value: 'Bo' }] },
      ],
    });
    expect(
      read(
        {
          value: [
            {
              ...message,
              subject: 'Crane',
              body: html('<p>it&#8217;s &#x2013; open <emoji id="1" alt="🙂"></emoji></p>'),
            },
            {
              ...message,
              body: html('<attachment id="1"></attachment>'),
              attachments: [{ contentType: 'reference', name: 'a.xlsx' }],
            },
            {
              ...message,
              body: html(''),
              attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: card }],
            },
          ],
        },
        'teams.json',
      ),
    ).toEqual(['Ann|Crane\nit’s – open 🙂', 'Ann|Attachment: a.xlsx', 'Ann|Done\nBy: Bo']);
  });
});
