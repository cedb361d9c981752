import { expect, test } from 'vitest';
import { parse } from './helpers.ts';

/** A page as DiscordChatExporter writes it, with attributes without quotes. */
function page(...groups: readonly string[]): string {
  return `<!DOCTYPE html><html lang="en"><head><title>Ferry - crew</title><meta charset="utf-8">
<style>.chatlog__message-group { color: red }</style></head><body>
<div class=preamble><div class=preamble__guild-icon-container><img class=preamble__guild-icon src=x alt="Guild icon"></div>
<div class=preamble__entries-container><div class=preamble__entry>Ferry</div><div class=preamble__entry>Text channels / crew</div>
<div class="preamble__entry preamble__entry--small">All about the boat</div></div></div>
<div class=chatlog>${groups.map((group) => `<div class=chatlog__message-group>${group}</div>`).join('\n')}</div>
<div class=postamble><div class=postamble__entry>Exported 4 message(s)</div></div></body></html>`;
}

const message = (id: number, inner: string): string =>
  `<div id=chatlog__message-container-${id} class=chatlog__message-container data-message-id=${id}><div class=chatlog__message>${inner}</div></div>`;
const head = (who: string, time: string): string =>
  `<div class=chatlog__header><span class=chatlog__author title=x data-user-id=1>${who}</span><span class=chatlog__timestamp title=x><a href=#x>${time}</a></span></div>`;
const said = (html: string): string =>
  `<div class="chatlog__content chatlog__markdown"><span class=chatlog__markdown-preserve>${html}</span><span class=chatlog__edited-timestamp title=x>(edited)</span></div>`;

test('the HTML export of Discord: who said what and when, and what a reply answers', async () => {
  const document = await parse(
    'Ferry - crew [1].html',
    page(
      message(
        11,
        `${head('Ines', '03/02/2024 18:05')}${said('Who has the <strong>spare key</strong>?\nIt is cold.')}`,
      ) + message(12, `<div class=chatlog__short-timestamp title=x>18:06</div>${said('Is it Bo?')}`),
      message(13, `${head('Tom', '03/02/2024 18:09')}${said('The lamp is out.')}`),
      message(
        14,
        `<div class=chatlog__reply><div class=chatlog__reply-author>Ines</div><div class=chatlog__reply-content><span class=chatlog__reply-link onclick="scrollToMessage(event, '11')">Who has the spare key?</span></div></div>${head('Bo', '04/02/2024 07:00')}${said('I have it.')}`,
      ),
    ),
  );
  expect(document.format).toBe('discord');
  expect(document.title).toBe('Ferry, #crew');
  expect(document.text).toBe(
    [
      '03/02/2024',
      'All about the boat',
      'Ines: Who has the spare key?\nIt is cold.\nBo: I have it.',
      'Ines: Is it Bo?',
      'Tom: The lamp is out.',
    ].join('\n\n'),
  );
  expect(document.locators.map(({ part }) => part)).toEqual([
    '03/02/2024',
    '03/02/2024 18:05 Ines',
    '04/02/2024 07:00 Bo',
    '03/02/2024 18:06 Ines',
    '03/02/2024 18:09 Tom',
  ]);
});

test('cards, files, signs and messages of the system are read', async () => {
  const { text } = await parse(
    'crew.html',
    page(
      message(
        1,
        `${head('Bo', '3/2/2024 6:05 PM')}${said('<div class=chatlog__markdown-quote><div class=chatlog__markdown-quote-content>Low water</div></div>At nine <img class=chatlog__emoji alt="⚓" src=x>')}` +
          '<div class=chatlog__attachment><a href=f><svg></svg></a><div class=chatlog__attachment-generic-name><a href=f>tides.pdf</a></div><div class=chatlog__attachment-generic-size>12 KB</div></div>' +
          '<div class=chatlog__attachment><a href="crew_Files/berth.png?x=1"><img class=chatlog__attachment-media src=x title="Image"></a></div>' +
          '<div class=chatlog__embed><div class=chatlog__embed-text><div class=chatlog__embed-title>Tides</div><div class=chatlog__embed-fields><div class=chatlog__embed-field><div class=chatlog__embed-field-name>High</div><div class=chatlog__embed-field-value>15:20</div></div></div></div></div>',
      ),
      message(
        2,
        '<div class=chatlog__header><span class=chatlog__system-notification-author title=x>Ines</span><span> </span><span class=chatlog__system-notification-content>started a thread.</span><span class=chatlog__system-notification-timestamp><a href=#x>3/2/2024 6:06 PM</a></span></div>',
      ),
    ),
  );
  expect(text).toBe(
    [
      '3/2/2024',
      'All about the boat',
      'Bo: Low water\nAt nine ⚓\nTides\nHigh: 15:20\nAttachment: tides.pdf\nAttachment: berth.png',
      'Ines: started a thread.',
    ].join('\n\n'),
  );
});

test('a page that only writes about such an export stays a page', async () => {
  const { format } = await parse('help.html', '<p>Style <code>.chatlog__message-group</code> as you like.</p>');
  expect(format).toBe('html');
});

test('the plain text of such an export is a chat too', async () => {
  const rule = '='.repeat(62);
  const lines = [
    ...[rule, 'Guild: Ferry', 'Channel: Text Channels / crew', 'Topic: All about', 'the boat', rule, ''],
    ...['[05/03/2025 10:14] ines', 'Who has the key?', '', 'It is cold.', ''],
    ...[
      '[3/5/2025 10:15 AM] Bo Vale (pinned)',
      'I have it: here',
      '',
      '{Attachments}',
      'https://x.y/a/plan.pdf?ex=1',
      '',
    ],
    ...['{Embed}', 'Tides', 'High at nine', '', '{Reactions}', 'ok (3)', '', ''],
    ...[rule, 'Exported 2 message(s)', rule, ''],
  ];
  const document = await parse('Ferry - crew [1].txt', lines.join('\n'));
  expect(document.title).toBe('Ferry, #crew');
  expect(document.text.split('\n\n')).toEqual([
    '05/03/2025',
    'All about\nthe boat',
    'ines: Who has the key?\nIt is cold.',
    '3/5/2025',
    'Bo Vale: I have it: here\nAttachment: plan.pdf\nTides\nHigh at nine',
  ]);
  expect((await parse('a.txt', `${rule}\nGuild: Ferry\nNo channel`)).format).toBe('text');
});
