import { describe, expect, it } from 'vitest';
import { calibrationVersion } from '../../../../src/answer/answerability/model.ts';
import { answerExtractive } from '../../../../src/answer/extractive/extractive.ts';
import { IbidError } from '../../../../src/core/errors.ts';
import { chunkOf, hitOf, statisticsOf } from '../hits.ts';
import { ask, castle, expectSound } from './asked.ts';

describe('answers, doubts and refusals', () => {
  it('is in doubt where a number is asked for and the sentence has none', () => {
    const text = 'The castle of Brannoch has towers and employs guards. The castle of Brannoch was built in 1402.';
    const hits = [hitOf(chunkOf(text, { title: 'Brannoch' }))];
    const confidence = (question: string) => ask(question, hits, { answerFrom: 0 }).confidence;
    expect(confidence('How many guards does the castle of Brannoch employ?')).toBe('low');
    expect(confidence('When was the castle of Brannoch built?')).toBe('high');
  });

  it.each([
    ['Which guard eats the most bread?', 'The old guard eats no bread. The castle has towers.', 'low'],
    ['Which guard eats no bread?', 'The old guard eats no bread. The castle has towers.', 'high'],
    ['Which guard eats the most bread?', 'The old guard eats the most bread. No tower is dry.', 'high'],
  ])('is in doubt where the most is asked of what there is none of: %s', (question, text, confidence) => {
    expect(ask(question, [hitOf(chunkOf(text, { title: 'Brannoch' }))], { answerFrom: 0 }).confidence).toBe(confidence);
  });

  it('is in doubt where a sentence says neither who nor what is done', () => {
    const hits = (text: string) => [hitOf(chunkOf(text, { title: 'Sicurezza' }))];
    const question = 'Chi gestisce gli aggiornamenti di sicurezza?';
    const priority = 'Gli aggiornamenti di sicurezza sono la prima priorità.';
    expect(ask(question, hits(priority), { answerFrom: 0 }).confidence).toBe('low');
  });

  it('says of a doubtful answer that it may be none, before its first word', () => {
    const answer = ask('How wide is the moat of Brannoch?', [hitOf(chunkOf(castle, { title: 'Brannoch' }))], {
      answerFrom: 1,
    });
    expect(answer).toMatchObject({ abstained: false, confidence: 'low' });
    expect(answer.answer).toMatch(/^The documents may not answer this; the nearest passage: /);
    expectSound(answer);
  });

  it('offers the nearest passages of a question that it refuses as what they are', () => {
    const answer = ask('How wide is the moat of Brannoch?', [hitOf(chunkOf(castle, { title: 'Brannoch' }))], {
      refuseBelow: 1,
    });
    expect(answer).toMatchObject({
      abstained: true,
      citations: [],
      answer: 'The indexed documents do not seem to answer this.',
    });
    expect(answer.related![0]!.n).toBe(1);
    expect(answer.related![0]!.quote).toContain('Its moat is 12 metres wide');
  });

  it('refuses what the passages do not hold, and cites nothing', () => {
    const hits = [hitOf(chunkOf(castle))];
    const answer = answerExtractive(
      'Which vaccine protects kittens against panleukopenia?',
      hits,
      statisticsOf([castle]),
    );
    expect(answer).toMatchObject({ abstained: true, confidence: 'none', citations: [], hits });
    expect(answer.answer).not.toBe('');
    expect(answer.support).toBeLessThan(0.17);
  });

  it('answers plainly what they do hold', () => {
    const hits = [hitOf(chunkOf(castle, { title: 'Brannoch' }))];
    const answer = answerExtractive('How wide is the moat of Brannoch castle?', hits, statisticsOf([castle]));
    expect(answer).toMatchObject({ abstained: false, confidence: 'high' });
  });

  it('reads both thresholds from options before the calibration', () => {
    const hits = [hitOf(chunkOf(castle, { title: 'Brannoch' }))];
    const calibration = { version: calibrationVersion, questions: 90, refuseBelow: 0, answerFrom: 1 };
    const confidence = (options: object) =>
      answerExtractive('How wide is the moat of Brannoch?', hits, statisticsOf([castle]), options).confidence;
    expect(confidence({ calibration })).toBe('low');
    expect(confidence({ calibration, answerFrom: 0 })).toBe('high');
    expect(confidence({ calibration, refuseBelow: 1 })).toBe('none');
    expect(confidence({ calibration: { ...calibration, version: 0 } })).toBe('high'); // found by another model: not its scale
  });

  it.each(['', '   ', '???', 'the of and'])('has an answer for the question %j', (question) => {
    const answer = answerExtractive(question, [hitOf(chunkOf(castle))], statisticsOf([castle]));
    expect(answer.support).toBeGreaterThanOrEqual(0);
    expect(answer.support).toBeLessThanOrEqual(1);
    expectSound(answer);
  });

  it('refuses when there are no hits, or none with text', () => {
    expect(ask('anything', []).confidence).toBe('none');
    expect(ask('anything', [hitOf(chunkOf(' \n '))]).confidence).toBe('none');
  });

  it('survives hits that all score 0', () => {
    expectSound(ask('How wide is the moat?', [hitOf(chunkOf(castle), 0)]));
  });

  it.each([
    { sentences: 0 },
    { sentences: 1.5 },
    { refuseBelow: -0.1 },
    { answerFrom: 1.1 },
    { answerFrom: Number.NaN },
  ])('refuses the option %j', (options) => {
    expect(() => ask('x', [], options)).toThrow(IbidError);
  });
});
