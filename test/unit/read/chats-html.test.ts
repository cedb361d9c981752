import { expect, test } from 'vitest';
import { outline, parse } from './helpers.ts';

/** A page as Telegram Desktop writes it. */
function page(history: string): string {
  return `<!DOCTYPE html>
<html>
 <head>
  <meta charset="utf-8"/>
  <title>Exported Data</title>
  <link href="css/style.css" rel="stylesheet"/>
 </head>
 <body onload="CheckLocation();">
  <div class="page_wrap">
   <div class="page_header">
    <div class="content">
     <div class="text bold">
Ferry crew
     </div>
    </div>
   </div>
   <div class="page_body chat_page">
    <div class="history">
     <a class="pagination block_link" href="messages.html">
Previous messages
     </a>
${history}
    </div>
   </div>
  </div>
 </body>
</html>`;
}

const service = (id: string, text: string): string =>
  `<div class="message service" id="message${id}"><div class="body details">\n${text}\n</div></div>`;
const message = (id: number, date: string, who: string | undefined, inner: string): string => `
<div class="message default clearfix${who === undefined ? ' joined' : ''}" id="message${id}">
 ${who === undefined ? '' : `<div class="pull_left userpic_wrap"><div class="userpic userpic2"><div class="initials">\nX\n</div></div></div>`}
 <div class="body">
  <div class="pull_right date details" title="${date}">
${date.slice(11, 16)}
  </div>
  ${who === undefined ? '' : `<div class="from_name">\n${who} \n</div>`}
  ${inner}
 </div>
</div>`;

test('the HTML export of Telegram: sender and time of each message, replies with what they answer', async () => {
  const document = await parse(
    'messages2.html',
    page(
      [
        service('-1', '3 February 2024'),
        service('40', 'Ines created group &laquo;Ferry crew&raquo;'),
        message(
          41,
          '03.02.2024 18:05:10 UTC+01:00',
          'Ines',
          '<div class="text">\nWho has the <strong>spare key</strong>?<br>It is urgent &amp; cold.\n</div>',
        ),
        message(42, '03.02.2024 18:06:00 UTC+01:00', undefined, '<div class="text">\nAnd the lamp?\n</div>'),
        service('-2', '4 February 2024'),
        message(
          43,
          '04.02.2024 07:30:59 UTC+01:00',
          'Olaf Berg',
          '<div class="reply_to details">\nIn reply to <a href="#go_to_message41" onclick="return GoToMessage(41)">this message</a>\n</div><div class="text">\nI have it.\n</div><span class="reactions"><span class="reaction"><span class="emoji">👍</span></span></span>',
        ),
        message(
          44,
          '04.02.2024 07:31:10 UTC+01:00',
          undefined,
          '<div class="media_wrap clearfix"><a class="media clearfix pull_left block_link media_file" href="files/plan.pdf"><div class="fill pull_left"></div><div class="body"><div class="title bold">\nplan.pdf\n</div><div class="status details">\n12.4 KB\n</div></div></a></div>',
        ),
        message(
          45,
          '04.02.2024 08:00:00 UTC+01:00',
          'Ines',
          '<div class="pull_left forwarded userpic_wrap"></div><div class="forwarded body"><div class="from_name">\nHarbour office <span class="date details" title="02.02.2024 09:00:00 UTC+01:00"> 02.02.2024 09:00:00</span>\n</div><div class="text">\nPier 4 is closed.\n</div></div>',
        ),
        message(
          46,
          '04.02.2024 08:01:00 UTC+01:00',
          undefined,
          '<div class="media_wrap clearfix"><div class="media_poll"><div class="question bold">\nSail on Sunday?\n</div><div class="details">\nAnonymous poll\n</div><div class="answer">\n- Yes <span class="details">2 votes</span>\n</div><div class="answer">\n- No\n</div></div></div>',
        ),
        message(
          47,
          '04.02.2024 08:02:00 UTC+01:00',
          'Olaf Berg',
          '<div class="media_wrap clearfix"><a class="photo_wrap clearfix pull_left" href="photos/p.jpg"><img class="photo" src="photos/p_thumb.jpg"/></a></div>',
        ),
      ].join('\n'),
    ),
  );
  expect(document.format).toBe('telegram');
  expect(document.title).toBe('Ferry crew');
  expect(outline(document)).toEqual([
    ['heading', '2024-02-03'],
    ['cue', 'Ines created group «Ferry crew»'],
    ['cue', 'Ines: Who has the spare key?\nIt is urgent & cold.\nOlaf Berg: I have it.'],
    ['cue', 'Ines: And the lamp?'],
    ['heading', '2024-02-04'],
    ['cue', 'Olaf Berg: Attachment: plan.pdf'],
    ['cue', 'Ines: Forwarded from Harbour office:\nPier 4 is closed.'],
    ['cue', 'Ines: Sail on Sunday?\n- Yes\n- No'],
  ]);
  const at = document.text.indexOf('Olaf Berg: I have it');
  expect(document.locators.find(({ start }) => start === at)?.part).toBe('2024-02-04 07:30 Olaf Berg');
  expect(document.metadata).toMatchObject({
    messages: 7,
    from: 'Ines, Olaf Berg',
    firstDay: '2024-02-03',
    lastDay: '2024-02-04',
  });
});

test('a page with other elements called message stays a page', async () => {
  const document = await parse(
    'forum.html',
    '<html><body><h1>Forum</h1><div class="history"><div class="message default"><div class="text">Hello to all of you here.</div></div></div></body></html>',
  );
  expect(document.format).toBe('html');
  expect(document.text).toContain('Hello to all of you here.');
});
