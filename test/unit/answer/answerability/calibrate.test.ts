import { describe, expect, it } from 'vitest';
import { judgeSentences } from '../../../../src/answer/answerability/answerability.ts';
import { calibrateSupport } from '../../../../src/answer/answerability/calibrate.ts';
import { outOfDomainQuestions } from '../../../../src/answer/answerability/out-of-domain.ts';
import { answerExtractive } from '../../../../src/answer/extractive/extractive.ts';
import { contentTerms } from '../../../../src/text/analysis/words.ts';
import { chunkOf, hitOf, statisticsOf } from '../hits.ts';

const texts = [
  'The dredger Marigold clears silt from the harbour of Osprey Bay every spring and autumn.',
  'Tide gauges in Osprey Bay are read each hour and corrected for air pressure.',
  'The harbour master of Osprey Bay keeps a log of all dredging permits.',
  'Silt samples are dried, weighed and sent to the laboratory in Tarn.',
];
const statistics = statisticsOf(texts, 0);
/** All chunks that share a term with the question, most first. */
const ask = async (question: string) => {
  const terms = new Set(contentTerms(question));
  const hits = texts
    .map((text, i) =>
      hitOf(
        chunkOf(text, { uri: `${i}.md`, title: 'Harbour' }),
        contentTerms(text).filter((term) => terms.has(term)).length,
      ),
    )
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  return { hits, statistics };
};

describe('calibrateSupport', () => {
  it('sets thresholds that foreign questions seldom reach', async () => {
    const calibration = await calibrateSupport(texts, ask);
    expect(calibration!.refuseBelow).toBeLessThanOrEqual(calibration!.answerFrom);
    let answered = 0;
    const questions = outOfDomainQuestions(new Set(['en']))[0]!;
    for (const question of questions) {
      const { hits } = await ask(question);
      if (answerExtractive(question, hits, statistics, { calibration }).confidence === 'high') answered++;
    }
    expect(answered).toBeLessThanOrEqual(0.1 * questions.length);
    const own = 'What does the dredger Marigold clear from the harbour of Osprey Bay?';
    expect(answerExtractive(own, (await ask(own)).hits, statistics, { calibration }).confidence).toBe('high');
  });

  it('puts the answer threshold above the 90 % quantile of what foreign questions get', async () => {
    // An index that knows every foreign question to a different degree: support rises with the number of its words that
    // are held.
    const held = async (question: string) => {
      const words = question.split(' ');
      const text = words.slice(0, 3 + (question.length % words.length)).join(' ');
      return { hits: [hitOf(chunkOf(`${text}.`))], statistics: statisticsOf([text], 50) };
    };
    const calibration = await calibrateSupport(['the sea is wide and it is blue'], held);
    const supports: number[] = [];
    for (const question of outOfDomainQuestions(new Set(['en']))[0]!) {
      const { hits, statistics } = await held(question);
      supports.push(judgeSentences(question, hits, statistics).support);
    }
    const logit = (p: number) => Math.log(p / (1 - p));
    const known = supports.filter((p) => p > 0).sort((a, b) => a - b);
    const expected = Math.max(0.1, Math.min(1.2, logit(known[Math.floor(0.9 * known.length)]!) + 0.45));
    expect(logit(calibration!.answerFrom)).toBeCloseTo(expected, 2);
    expect(calibration!.questions).toBe(known.length);
  });

  it('tells all questions of a language before it asks the first of them', async () => {
    const asked: string[] = [];
    const told: (readonly string[])[] = [];
    const noting = (question: string): ReturnType<typeof ask> => {
      asked.push(question);
      return ask(question);
    };
    await calibrateSupport(texts, noting, {
      prefetch: async (questions) => {
        expect(asked).toEqual(told.flat());
        told.push(questions);
      },
    });
    expect(asked.length).toBeGreaterThan(10);
    expect(asked).toEqual(told.flat());
  });

  it('is deterministic', async () => {
    expect(await calibrateSupport(texts, ask)).toEqual(await calibrateSupport(texts, ask));
  });

  it('asks in the languages of the index', async () => {
    const asked: string[] = [];
    await calibrateSupport(
      ['Der Bagger räumt den Schlick aus dem Hafen und die Pegel werden abgelesen.'],
      async (question) => {
        asked.push(question);
        return { hits: [], statistics };
      },
    );
    expect(asked).toEqual(outOfDomainQuestions(new Set(['de']))[0]);
  });

  it('says nothing when an index of many chunks finds nothing', async () => {
    const many = { ...statistics, rows: 150 };
    expect(await calibrateSupport([], async () => ({ hits: [], statistics: many }))).toBeUndefined();
  });

  it('asks for less support in few chunks, where no word is rare', async () => {
    const notes = [
      'alpha pump is red',
      'beta pump is blue',
      'gamma fan is green',
      'delta fan is grey',
      'porter sleeps',
    ];
    const few = statisticsOf(notes, notes.length);
    const search = async (question: string) => {
      const terms = new Set(contentTerms(question));
      const score = (text: string): number => contentTerms(text).filter((term) => terms.has(term)).length / 8;
      const hits = notes.map((text, i) => hitOf(chunkOf(`The ${text}.`, { uri: `${i}.md` }), score(text)));
      return { hits: hits.filter((hit) => hit.score > 0).sort((a, b) => b.score - a.score), statistics: few };
    };
    const calibration = await calibrateSupport(notes, search);
    expect(calibration!.answerFrom).toBeLessThan(0.3);
    const none = await calibrateSupport(notes, async () => ({ hits: [], statistics: few }));
    expect(none!.answerFrom).toBeCloseTo(1 / (1 + Math.exp(-(0.2 - 0.9 * Math.log(150 / few.rows)))), 3);
    const confidence = async (question: string): Promise<string> =>
      answerExtractive(question, (await search(question)).hits, few, { calibration }).confidence;
    expect(await confidence('Is the beta pump blue?')).toBe('high');
    expect(await confidence('What is the capital of Mongolia?')).toBe('none');
    expect(await confidence('Which fan did the queen of Denmark buy in Paris?')).not.toBe('high');
  });

  it('stops when told to', async () => {
    await expect(calibrateSupport(texts, ask, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
      'enough',
    );
  });
});
