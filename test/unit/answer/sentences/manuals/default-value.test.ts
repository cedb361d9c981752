import { expect, it } from 'vitest';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { defaultGain } from '../../../../../src/answer/sentences/manuals/default-value.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { textOf } from '../../../../../src/answer/sentences/structure/unit-text.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

function gaining(asked: string, text: string): string[] {
  const question = analyseQuestion(asked, statisticsOf([text]));
  const hits = [hitOf(chunkOf(text, { title: 'Crane' }))];
  return candidatesOf(question, hits)
    .filter((one) => defaultGain(question, one) > 0)
    .map(({ unit }) => text.slice(unit.start, unit.end));
}

const manual = [
  '-s, --swing-limit: Sets the largest swing of the hook in degrees. It is checked at each turn. The default value is 12.',
  '-r, --rope-limit: Sets the longest rope in metres. The default value is 40.',
  '-b, --brake-delay: Sets how long the brake waits. It must not be negative, which is not the default of older cranes.',
].join('\n\n');

it('reads an item of a list with the items that it stands in, and without those beside it', () => {
  const beside = '- `ropes` - Default: `3` - how many.\n- `hooks` - Default: `5` - how many.';
  expect(gaining('What is the default of ropes?', beside)).toEqual(['- `ropes` - Default: `3` - how many.']);
  const inside = '- `ropes` of steel\n  - Default: `3`';
  expect(gaining('What is the default of ropes?', inside)).toEqual(['- Default: `3`']);
});

it('goes before the default of a part, which has a name of its own', () => {
  const text =
    'The hoist rule checks ropes. The default style is `4 ropes`.\n\n* `"beam"` (default: 1) enforces the hoist rule for beams.';
  const question = analyseQuestion('What is the default of the hoist rule?', statisticsOf([text]));
  const gains = candidatesOf(question, [hitOf(chunkOf(text, { title: 'hoist' }))]).map((one) =>
    defaultGain(question, one),
  );
  expect(gains[1]).toBeGreaterThan(1.5 * gains[2]!);
  const named = analyseQuestion('What is the default of beam?', statisticsOf([text]));
  const own = candidatesOf(named, [hitOf(chunkOf(text, { title: 'hoist' }))]).map((one) => defaultGain(named, one));
  expect(own[2]).toBeGreaterThan(own[1]!);
});

it('is what a declaration sets the name to', () => {
  const code = '@throws TideError within [maxWait] fun moor(deep: Boolean = false)\n\nvar maxWait: Long = 1_500';
  expect(gaining('What is the default of maxWait?', code)).toEqual(['var maxWait: Long = 1_500']);
});

it.each([
  ['What is the default swing limit of the hook?', manual, ['The default value is 12.']],
  ['What is the longest rope by default?', manual, ['The default value is 40.']],
  ['What is the swing limit of the hook?', manual, []],
  ['What is the default colour of the lantern?', manual, []],
  ['What is the default brake delay?', manual, []],
  [
    'Which port is the default of the lamp?',
    'The lamp listens on a port. It defaults to 8080.',
    ['It defaults to 8080.'],
  ],
  ['What is the default load?', 'The default suggested load is 2.', ['The default suggested load is 2.']],
  ['What is the default load?', 'The load goes back to the default value when the crane is off.', []],
  ['Which lamp is the default?', 'A lamp is red or green. Red is the default lamp.', ['Red is the default lamp.']],
  ['Which lamp is the default?', 'A lamp is red or green. Red is the default.', ['Red is the default.']],
  [
    'What is the default of MAX_ROPE?',
    'A rope is bound by MAX_ROPE. The default of this limit is 40. A lamp is bound by MAX_LAMP_ROPE, which defaults to 7.',
    ['The default of this limit is 40.'],
  ],
  [
    'Was ist der Standardwert des Hakens?',
    'Der Haken schwingt. Der Standardwert ist 12.',
    ['Der Standardwert ist 12.'],
  ],
  [
    '¿Qué puerto usa el farol por omisión?',
    'El farol usa, por omisión, el puerto 80.',
    ['El farol usa, por omisión, el puerto 80.'],
  ],
  [
    'Que porta usa o farol por predefinição?',
    'O farol usa, por predefinição, a porta 80.',
    ['O farol usa, por predefinição, a porta 80.'],
  ],
  [
    'Какой порт фонарь использует по умолчанию?',
    'Фонарь использует по умолчанию порт 80.',
    ['Фонарь использует по умолчанию порт 80.'],
  ],
  [
    'ランプがデフォルトで使用するポートは何ですか？',
    'ランプはデフォルトでポート 80 を使用します。',
    ['ランプはデフォルトでポート 80 を使用します。'],
  ],
  ['灯默认使用哪个端口？', '灯默认使用端口 80。', ['灯默认使用端口 80。']],
  ['灯默认使用哪个端口？', '灯使用端口 80。', []],
  ['What is the default page size?', 'The page size is set. Version 3 changes its default setting to be 4096.', []],
  [
    'How many pages are read by default?',
    'Pages are read ahead. 12 pages are read by default.',
    ['12 pages are read by default.'],
  ],
])('%s', (asked, text, expected) => {
  expect(gaining(asked, text)).toEqual(expected);
});

it('is the answer, though it has none of the other words of the question', () => {
  const hits = [hitOf(chunkOf(manual, { title: 'Crane' }))];
  const { answer, confidence } = answerExtractive(
    'What is the default swing limit of the hook?',
    hits,
    statisticsOf([manual]),
    { refuseBelow: 0, answerFrom: 0.3 },
  );
  expect(answer).toBe('-s, --swing-limit: The default value is 12. [1]');
  expect(confidence).toBe('high');
});

it.each([
  ['The hook swings with the wind.', -1],
  ["The hook swings with the wind's force.", -1],
  ['The hook swings to 12.', 0],
  ["The hook swings 'free'.", 0],
  ['A non-default hook is used by few.', 0],
])('loses without a value: %s', (text, sign) => {
  const question = analyseQuestion('What is the default swing of the hook?', statisticsOf([text]));
  const [candidate] = candidatesOf(question, [hitOf(chunkOf(text, { title: 'Hook' }))]);
  expect(Math.sign(defaultGain(question, candidate!))).toBe(sign);
});

it('is more in the paragraph of what is asked', () => {
  const text = '--swing: Sets the swing. The default is 12.\n\n--rope: As long as --swing asks. The default is 40.';
  const question = analyseQuestion('What is the default of --swing?', statisticsOf([text]));
  const gains = candidatesOf(question, [hitOf(chunkOf(text, { title: 'Crane' }))])
    .map((one) => defaultGain(question, one))
    .filter((gain) => gain > 0);
  expect(gains).toHaveLength(2);
  expect(gains[0]).toBeGreaterThan(gains[1]!);
});

it('is the one in the section of what is asked, beside one that tells its own by it', () => {
  const sections: [heading: string, text: string][] = [
    ['swing_limit (integer)', 'Sets how far the hook swings. The default value is 12.'],
    ['brake_delay (float)', 'Sets how long the brake waits. The default value is 2.0, which is a turn at swing_limit.'],
  ];
  const hits = sections.map(([heading, text], i) =>
    hitOf(chunkOf(`${heading}\n\n${text}`, { uri: `${i}.html`, format: 'html', headings: ['Crane', heading] })),
  );
  const { answer } = answerExtractive(
    'What is the default value of swing_limit?',
    hits,
    statisticsOf(sections.map(String)),
    {
      refuseBelow: 0,
      answerFrom: 0.3,
    },
  );
  expect(answer).toBe('swing_limit (integer): The default value is 12. [1]');
});

it('takes the default of another setting, whose section names the one that is asked about, for no answer', () => {
  const text = [
    'hook.bufsize <number>\n\nSets how many loads wait. The default value is 12, which is enough.',
    'hook.frame.size <number>\n\nSets the largest load. The default value is 40 or that of hook.bufsize.',
  ].join('\n\n');
  const question = analyseQuestion('What is the default value of hook.bufsize?', statisticsOf([text]));
  const hits = [hitOf(chunkOf(text, { title: 'Crane', headings: ['Crane'], format: 'html' }))];
  const gains = candidatesOf(question, hits).map((one) => [defaultGain(question, one) > 0, textOf(one)]);
  expect(gains.filter(([gain]) => gain)).toEqual([[true, 'The default value is 12, which is enough.']]);
  expect(answerExtractive(question.text, hits, statisticsOf([text]), { refuseBelow: 0 }).citations[0]!.quote).toBe(
    'The default value is 12, which is enough.',
  );
});

it('takes a default in a paragraph of its own for that of the name above it', () => {
  const text = [
    'HOOK_GUARD: The load is only held where somebody stands beside it.',
    'Default: False',
    'HOOK_BRAKE: The hook stops at once. It may swing.',
    'This wears the rope.',
    'Default: True',
  ].join('\n\n');
  const hits = [hitOf(chunkOf(text, { title: 'Crane' }))];
  const answerTo = (question: string): string =>
    answerExtractive(question, hits, statisticsOf([text]), { refuseBelow: 0 }).answer;
  expect(answerTo('Is HOOK_GUARD enabled by default?')).toContain('HOOK_GUARD: Default: False');
  expect(answerTo('Is HOOK_BRAKE enabled by default?')).toContain('HOOK_BRAKE: Default: True');
  expect(answerTo('What is the default of HOOK_BRAKE?')).toContain('HOOK_BRAKE: Default: True');
});

const settings = [
  '* `maxLoad` {number} The heaviest load that is lifted. **Default:** `5`.',
  '* `maxSwing` {number} The widest swing of a load.\n  **Default:** `30` (degrees).',
].join('\n');

it('takes the default of the item that is named, and says whose it is', () => {
  const hits = [hitOf(chunkOf(settings, { title: 'Crane', headings: ['CraneOptions'] }))];
  const answered = (asked: string): string =>
    answerExtractive(asked, hits, statisticsOf([settings]), { refuseBelow: 0, answerFrom: 0 }).answer;
  expect(answered('What is the default maxLoad of the crane?')).toBe('maxLoad: Default: 5. [1]');
  expect(answered('What is the default maxSwing of the crane?')).toBe('maxSwing: Default: 30 (degrees). [1]');
});

it.each([
  ['What is the default level of crane.lift?', 'crane.lift(load, *, level=9, speed=None)', true],
  ['What does the level parameter of lift default to?', 'crane.lift(load, *, level=9, speed=None)', true],
  ['What is the default level of crane.lower?', 'crane.lift(load, *, level=9, speed=None)', false],
  ['What is the default sway of crane.lift?', 'crane.lift(load, *, level=9, speed=None)', false],
  ['What level does crane.lift take?', 'crane.lift(load, *, level=9, speed=None)', false],
  ['What is the default level of crane.lift?', 'crane.lift(load, level) lifts it if level == 9', false],
])('a declaration gives a parameter its default: %s', (asked, line, expected) => {
  const text = `${line}\n\nLifts a load to the height that is given.`;
  const headings = ['Crane', line];
  const question = analyseQuestion(asked, statisticsOf([text]));
  const found = candidatesOf(question, [hitOf(chunkOf(text, { title: 'Crane', headings, format: 'html' }))]);
  expect(found.some((one) => textOf(one).startsWith(line) && defaultGain(question, one) > 0)).toBe(expected);
});

it('does not take a hint to look elsewhere for a default', () => {
  const text = 'Default: See the manual';
  const question = analyseQuestion('What is the default rope of the crane?', statisticsOf([text]));
  const [candidate] = candidatesOf(question, [hitOf(chunkOf(text, { title: 'Crane rope' }))]);
  expect(defaultGain(question, candidate!)).toBeLessThan(0);
});

it('is no default where something else than the default is spoken of', () => {
  const rules = 'Votes for options other than the default option are dropped. The default option is "none".';
  expect(gaining('What is the default option of a vote?', rules)).toEqual(['The default option is "none".']);
});
