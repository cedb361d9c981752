import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/answer/contract.ts';
import { answerExtractive } from '../../../../src/answer/extractive/extractive.ts';
import { chunkOf, hitOf, statisticsOf } from '../hits.ts';

const symptom =
  '# The crane stops\n\n## Symptom\n\nThe display shows `Winch overrun (CR_91)` and the hook stays up.\n\n';
const cause = '## Cause\n\nWater has come into the upper switch.\n\n';
const fix = '## Solution\n\n1. Dry the switch with warm air.\n2. Press the green button twice.\n';
const other = '# Berths\n\nBoats lie at the east quay until noon. Nobody may swim there.\n';

function askIn(texts: readonly string[], question: string): Answer {
  const chunks = texts.map((text, position) => chunkOf(text, { title: 'The crane stops', uri: 'crane.md', position }));
  const hits = [...chunks, chunkOf(other, { uri: 'berths.md', title: 'Berths' })].map((chunk, i) =>
    hitOf(chunk, 1 - i / 10),
  );
  const options = { sentences: 3, refuseBelow: 0, answerFrom: 0.3 };
  return answerExtractive(question, hits, statisticsOf([...texts, other]), options);
}

describe('a report of a fault', () => {
  it.each([
    ['in one passage', [symptom + cause + fix]],
    ['over several passages', [symptom, cause, fix]],
  ])('says why and what is to be done, %s', (_, texts) => {
    expect(askIn(texts, 'How do I fix CR_91?').answer).toMatch(
      /^Dry the switch with warm air\. Press the green button twice\./,
    );
    expect(askIn(texts, 'Why does the hook stay up?').answer).toMatch(/^Water has come into the upper switch/);
    expect(askIn(texts, 'What does the display show?').answer).toMatch(/Winch overrun/);
  });

  it('does not answer for another fault', () => {
    const two = `# Faults\n\n## CR_91: hook stays up\n\n**Cause:** Water in the switch.\n\n**Fix:** Dry the switch.\n\n## CR_17: no power\n\n**Cause:** The cable is cut.\n\n**Fix:** Change the cable.\n`;
    expect(askIn([two], 'How do I fix CR_17?').answer).toMatch(/Change the cable/);
    expect(askIn([two], 'Why is there no power?').answer).toMatch(/cable is cut/);
    expect(askIn([two], 'How do I fix CR_91?').answer).toMatch(/Dry the switch/);
  });
});

it('what is to be done stands behind `Fix:` in the report whose symptom is asked about', () => {
  const lamps =
    '# Lamps\n\n## Wrong hour\n\n**Symptom:** The lamp is lit one hour early.\n\n**Cause:** The clock is of another place.\n\n**Fix:** Open *Clock* and set the place again.\n\n## Wrong light\n\n**Symptom:** The lamp is green.\n\n**Cause:** The glass is old.\n\n**Fix:** Change the glass.\n';
  expect(askIn([lamps], 'What should I do if the lamp is lit one hour early?').answer).toMatch(/set the place again/);
  expect(askIn([lamps], 'What should I do if the lamp is green?').answer).toMatch(/Change the glass/);
});

describe('who wrote it', () => {
  const mail =
    'From: "Ruth Lind" <ruth@example.org>\nTo: Omar Said <omar@example.org>\nDate: Tue, 12 Mar 2024 08:05:00 +0100\nSubject: Complaint about berth B-44\n\nGood morning,\n\nI paid for a berth with power, and there was none.\n\nPlease call.\n';
  const ask = (text: string, title: string, question: string, format = 'eml') => {
    const hits = [
      hitOf(chunkOf(text, { title, uri: `x.${format}`, format })),
      hitOf(chunkOf(other, { uri: 'berths.md' }), 0.4),
    ];
    return answerExtractive(question, hits, statisticsOf([text, other]), {
      sentences: 1,
      refuseBelow: 0,
      answerFrom: 0.3,
    });
  };

  it('is the name below the greeting of a letter', () => {
    const letter = 'Dear Mr Holt,\n\nthe berth is free. You paid in May.\n\nYours sincerely\nDr Ruth Lind\n';
    expect(ask(letter, 'Letter', 'Who wrote to Mr Holt?', 'md').citations[0]!.quote).toContain('Ruth Lind');
  });

  it('is the sender of a mail', () => {
    const title = 'Complaint about berth B-44';
    expect(ask(mail, title, 'Who complained about berth B-44?')).toMatchObject({
      answer: 'From: "Ruth Lind" <ruth@example.org> [1]',
      confidence: 'high',
    });
    expect(ask(mail, title, 'Who paid for a berth with power?').answer).toMatch(/^Ruth Lind: I paid for a berth/);
    const quoting = mail.replace('I paid', '> I paid');
    expect(ask(quoting, title, 'Who paid for a berth with power?').answer).not.toMatch(/^Ruth Lind: /);
  });

  it('stands below the title', () => {
    const report =
      '# Quay survey\n\n*By Omar Said, 3 June 2023*\n\nOn most days 62 of 75 berths are taken by Dutch boats.\n';
    for (const question of ['Who wrote the quay survey?', 'Who is the author of the quay survey?'])
      expect(ask(report, 'Quay survey', question, 'markdown')).toMatchObject({
        answer: 'By Omar Said, 3 June 2023 [1]',
        confidence: 'high',
      });
  });
});

it('takes the cause of what was told last, where no heading parts the reports', () => {
  const talk =
    'We had 41 letters about the slow gate. The cause was a full drain. It is dry now. Bo Tarn ate three pies at noon. Ann Moor slept. The party is in May. Somebody has to roast the fish. Bo Tarn is not there, since his aunt marries.';
  expect(askIn([talk], 'Why is the gate slow?').answer).toContain('The cause was a full drain');
  expect(askIn([talk], 'Why does Bo Tarn not roast the fish?').answer).not.toContain('drain');
});
