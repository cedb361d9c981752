import { describe, expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { hasFigureBelow } from '../../../../../src/answer/sentences/rules/figure-below.ts';
import { lacksDefault } from '../../../../../src/answer/sentences/rules/lacks-default.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const withColumn =
  '| Field | Default | Meaning |\n| --- | --- | --- |\n| `depth` | 3 | Metres |\n| `berth` | | Where it lies |\n';
const without =
  '| Field | Meaning |\n| --- | --- |\n| `memo` | Up to 140 signs |\n| `draft` | Default: false. Counts nothing |\n';

const lacking = (text: string, question: string, title = 'Ships'): string[] => {
  const analysed = analyseQuestion(question, statisticsOf([text]));
  return candidatesOf(analysed, [hitOf(chunkOf(text, { title }))]).flatMap((one) =>
    lacksDefault(analysed, one) ? [text.slice(one.unit.start, one.unit.end).split('|')[1]!.trim()] : [],
  );
};

describe('lacksDefault', () => {
  it('is for rows that say no default', () => {
    expect(lacking(withColumn, 'What is the default berth?')).toEqual(['`berth`']);
    expect(lacking(without, 'What is the default memo?')).toContain('`memo`');
    expect(lacking(without, 'What is the default memo?')).not.toContain('`draft`');
    expect(lacking(without, 'What is the default memo?', 'Defaults of a ship')).toEqual([]);
    expect(lacking(without, 'What is the memo of an entry?')).toEqual([]);
  });
});

describe('a comment over a value', () => {
  const config =
    '# The yard.\n\n# Boats that are built at once\nbatch = 20\n# What is done with nets: tie or fold\nnets = "tie"\n';

  it('has the figure that is asked for', () => {
    const analysed = analyseQuestion('How many boats are built at once?', statisticsOf([config]));
    const hit = hitOf(chunkOf(config, { format: 'code', uri: 'yard.toml' }));
    const found = candidatesOf(analysed, [hit]).filter(hasFigureBelow);
    expect(found.map(({ unit }) => config.slice(unit.start, unit.end))).toEqual(['# Boats that are built at once']);
    const answer = ask('How many boats are built at once?', [hit]);
    expect(answer).toMatchObject({ confidence: 'high' });
    expect(answer.answer).toMatch(/batch = 20/);
  });
});
