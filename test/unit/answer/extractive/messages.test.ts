import { describe, expect, it } from 'vitest';
import type { Hit } from '../../../../src/core/types.ts';
import { chunkOf, hitOf } from '../hits.ts';
import { ask } from './asked.ts';

interface Message {
  readonly day: string;
  readonly who: string;
  readonly text: string;
}

/** A conversation as its reader gives it: a chunk for each message, with who wrote it and when. */
function conversation(format: string, messages: readonly Message[]): Hit[] {
  let at = 0;
  return messages.map(({ day, who, text }, i) => {
    const whole = format === 'mbox' ? `${text}\n\n` : `${who}: ${text}\n\n`;
    const chunk = chunkOf(whole, {
      ...{ uri: 'talk.txt', title: 'Talk', format, at, position: i },
      locators: [{ start: at, end: at + whole.length - 2, part: `${day} ${who}` }],
    });
    at += whole.length;
    return hitOf(chunk, 1 - i / 10);
  });
}

const trip: readonly Message[] = [
  { day: '2025-06-02', who: 'Ove', text: 'The boat trip to Lom begins on Friday 27 June at 14:00. Bring boots.' },
  { day: '2025-06-03', who: 'Runa', text: 'I get seasick, so no thanks. But I can lend you my stove.' },
  { day: '2025-06-24', who: 'Ove', text: 'The boat trip begins on Saturday 28 June at 7:00 instead.' },
];

describe.each(['whatsapp', 'slack', 'mbox'])('a conversation (%s)', (format) => {
  it('is answered by the later message that changes what was said, the earlier one beside it', () => {
    const { answer, related, contradiction } = ask('When does the boat trip begin?', conversation(format, trip));
    expect(answer).toContain('28 June');
    expect(answer).not.toContain('27 June');
    expect(contradiction).toBeUndefined();
    expect(related?.some(({ quote }) => quote.includes('27 June'))).toBe(true);
  });

  it('says the later place', () => {
    const place = [
      { day: '2025-10-06', who: 'Ruth', text: "The spring concert is in St Olga's church. Wear black." },
      { day: '2025-11-16', who: 'Ruth', text: 'The heating is broken. The spring concert is moved to the town hall.' },
    ];
    expect(ask('Where is the spring concert?', conversation(format, place)).answer).toContain('town hall');
  });
});

it('of a mailbox the message sent later counts, wherever it stands', () => {
  const sent = (day: string): string => `Date: ${day} 2025 20:00:00 +0200\nSubject: Concert\n\nDear all,\n\n`;
  const old = { day: '1', who: 'Ruth', text: `${sent('Mon, 06 Oct')}The spring concert is in St Olga's church.` };
  const moved = { day: '2', who: 'Ruth', text: `${sent('Sun, 16 Nov')}The spring concert is moved to the town hall.` };
  for (const order of [
    [old, moved],
    [moved, old],
  ])
    expect(ask('Where is the spring concert?', conversation('mbox', order)).answer).toContain('town hall');
});

it('a sentence inside a message of a chat is said with who wrote it', () => {
  const { answer, confidence } = ask('Who can lend a stove?', conversation('whatsapp', trip));
  expect(answer).toContain('Runa: But I can lend you my stove. [1]');
  expect(confidence).toBe('high');
});

it('a later section of a document that is no conversation takes no place', () => {
  const { answer } = ask('When does the boat trip begin?', conversation('markdown', trip));
  expect(answer).toContain('27 June');
});

describe('a question in a chat', () => {
  const at = (text: string, format: string): Hit[] => [
    hitOf(chunkOf(text, { uri: 'talk.txt', title: 'Talk', format })),
  ];
  const chat = [
    '2024-03-01',
    'Kai: Mia joined the crew',
    'Kai: Who has the spare key of the shed? Tom maybe?\nTom: I gave it to Dorte on Friday',
    'Lin: Lunch is at noon, bring soup',
    'Kai: Who brings the trailer?',
    'Ute: I do, at nine',
    'Kai: The berth costs 14 euros a night',
  ].join('\n\n');

  it('is said with its thread alone, without the message before', () => {
    const { answer, citations } = ask('Who has the spare key of the shed?', at(chat, 'slack'));
    expect(answer).toContain('Tom: I gave it to Dorte on Friday');
    expect(answer).not.toMatch(/joined|Lunch/);
    expect(citations[0]!.quote).not.toMatch(/Lunch/);
  });

  it('stands over the next message, but not over what is said later', () => {
    expect(ask('Who brings the trailer?', at(chat, 'whatsapp')).answer).toContain('Ute: I do, at nine');
    expect(ask('What does the berth cost?', at(chat, 'whatsapp')).answer).toBe(
      'Kai: The berth costs 14 euros a night [1]',
    );
  });
});
