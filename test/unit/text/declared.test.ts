import { describe, expect, test } from 'vitest';
import { declares, nameAsked } from '../../../src/text/analysis/declared.ts';
import { analyseQuery } from '../../../src/text/analysis/query.ts';

test.each([
  ['log_min_wait', 'log_min_wait'],
  ['What does log_min_wait do?', 'log_min_wait'],
  ['core.autolift', 'core.autolift'],
  ['--keep-load', '--keep-load'],
  ['crane lift --keep-load', '--keep-load'],
  ['lift_load()', 'lift_load'],
  ['Load-Needs-Crane', 'Load-Needs-Crane'],
  ['maxWait', 'maxWait'],
])('%s asks for the name %s', (query, name) => {
  expect(nameAsked(analyseQuery(query))).toBe(name);
});

test.each([
  'crane',
  'effect of COVID-19 on cranes',
  'cranes, e.g. red ones',
  'log_wait or log_load',
  'how does a crane of the yard lift its load with keep_load',
  '"log_wait"',
])('%s asks for no one name', (query) => {
  expect(nameAsked(analyseQuery(query))).toBeUndefined();
});

describe('a name is declared', () => {
  test.each([
    ['with its type', 'log_wait (integer): Tells how long the crane waits.', 'log_wait'],
    ['in a line of its own', 'log_wait (integer)\n\nTells how long the crane waits.', 'log_wait'],
    ['behind a number', '5.6.31. Load-Needs-Crane\n\nA field that says which loads.', 'load-needs-crane'],
    ['behind another name', '-k, --keep-load[=(all|none)]\n\nBy default the load is dropped.', '--keep-load'],
    [
      'behind another one with its type',
      'log_load (boolean), log_wait (boolean)\n\nTell what each crane does.',
      'log_wait',
    ],
    ['before one with its type', 'log_wait (boolean), log_load (boolean)\n\nTell what each crane does.', 'log_wait'],
    ['before another name', 'lift.wait, lift.<crane>.wait\n\nHow long each crane has to wait.', 'lift.wait'],
    ['with its default', '- pool_size=5 – the number of cranes to keep.', 'pool_size'],
    ['in an item', '- pool_ping –\n  whether each crane is tested first.', 'pool_ping'],
    ['with its path', 'method yard.Crane.lift_load(load, height=2)\n\nLifts the load to that height.', 'lift_load'],
  ])('%s', (_, text, name) => {
    expect(declares(text, name)).toBe(true);
  });

  test.each([
    ['where it begins a sentence', 'log_wait is set by another setting of the crane', 'log_wait'],
    ['where a sentence names it', 'As is said of log_wait (integer): the crane waits too long.', 'log_wait'],
    ['where it is set', 'log_wait = 250\n\nThis tells all cranes to wait.', 'log_wait'],
    ['where it is given', '  pool_ping=True,\n)\n\nThe crane is made with this.', 'pool_ping'],
    ['in an index', 'log_wait (parameter of crane)\nlog_walk (parameter of crane)', 'log_wait'],
    ['as a part of another name', 'log_wait_long (integer): Tells how long the crane waits.', 'log_wait'],
  ])('not %s', (_, text, name) => {
    expect(declares(text, name)).toBe(false);
  });
});

test('long lines and many places cost no more than reading them', () => {
  const started = performance.now();
  expect(declares(`${'-a_b, '.repeat(100_000)}x_y`, 'x_y')).toBe(false);
  expect(declares('x_y '.repeat(300_000), 'x_y')).toBe(false);
  expect(declares(`x_y${'(a)'.repeat(100_000)}`, 'x_y')).toBe(false);
  expect(performance.now() - started).toBeLessThan(2000);
});
