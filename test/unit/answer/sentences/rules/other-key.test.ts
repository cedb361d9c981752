import { expect, it } from 'vitest';
import { isOfOtherKey, otherKeyLoss } from '../../../../../src/answer/sentences/rules/other-key.ts';
import { analysed } from './gaining.ts';

const jobs = `jobs:
  tar:
    crew: 4
    steps:
      - run: tar hull
  sand:
    crew: 2
`;
const settings = '[crane]\nload = 40\n\n[winch]\nload = 7\n';

function others(question: string, text: string, options: object): string[] {
  const { asked, candidates } = analysed(question, text, options);
  return candidates.filter((one) => isOfOtherKey(asked, one)).map(({ unit }) => text.slice(unit.start, unit.end));
}

it.each([
  ['How large is the crew of the sand job?', ['- run: tar hull']],
  ['How large is the crew of the tar job?', ['sand:\n    crew: 2']],
  ['How large is the crew of the paint job?', []],
])('settings of YAML below another key than %s', (question, expected) => {
  const found = others(question, jobs, { format: 'yaml' });
  expect(found).toEqual(expect.arrayContaining(expected));
  if (expected.length === 0) expect(found).toEqual([]);
});

const containers = `replicas: 3
containers:
  - name: crane
    limits:
      load: 40
  - name: winch
    image: winch:2
`;

it('settings of another item of a list; what is above the items is of each', () => {
  const ofWinch = others('What is the load of the winch?', containers, { format: 'yaml' });
  expect(ofWinch).toEqual(['- name: crane\n    limits:\n      load: 40']);
  const ofCrane = others('How many replicas has the crane?', containers, { format: 'yaml' });
  expect(ofCrane).toEqual(['- name: winch\n    image: winch:2']);
});

it('settings in sections of TOML', () => {
  const options = { format: 'code', uri: 'quay.toml', title: 'quay.toml', language: 'toml' };
  expect(others('What is the load of the winch?', settings, options)).toContain('load = 40');
});

it('nothing in prose', () => {
  expect(others('How large is the crew of the sand job?', jobs, { format: 'markdown' })).toEqual([]);
  const { asked, candidates } = analysed('How large is the crew of the sand job?', jobs, { format: 'yaml' });
  expect(candidates.some((one) => otherKeyLoss(asked, one) < 0)).toBe(true);
});
