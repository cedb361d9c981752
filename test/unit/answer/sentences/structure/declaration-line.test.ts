import { expect, it } from 'vitest';
import { declaredIn } from '../../../../../src/answer/sentences/structure/declaration-line.ts';

it.each([
  ['lpad ( text, length ) → text', 'lpad', false],
  ['crane.lift(load)', 'crane.lift', false],
  ['  - public void lift(Load load) throws Overload', 'lift', false],
  ['public static Map<String, Load> loads()', 'loads', false],
  ['protected Crane.Hook[] hooksOf(Crane crane)', 'hooksOf', false],
  ['@Deprecated public Crane(int height)', 'Crane', false],
  ['unsigned int crane_height(const struct crane *c)', 'crane_height', false],
  ['def lift(self, load) -> bool', 'lift', false],
  [': load = lift (rope), : lift (rope, hook), : [load, time] = lift (…)', 'lift', false],
  ['Built-in Function: [a, b] = lift (rope).', 'lift', false],
  ['public class Crane extends Machine', 'Crane', true],
  ['public abstract sealed class Crane<T> implements Machine, Tall', 'Crane', true],
  ['- interface Crane', 'Crane', true],
  ['class Crane:', 'Crane', true],
  ['struct crane', 'crane', true],
])('%s', (line, name, isType) => {
  expect(declaredIn(line)).toMatchObject({ name, isType });
});

it.each([
  'The crane lifts a load (at most five tonnes)',
  'class of cranes that lift a load',
  'Class Crane',
  'Note: see below (it is long)',
  'public void',
  'It raises a load.',
  'lift(load);',
])('%s declares nothing', (line) => {
  expect(declaredIn(line)).toBeUndefined();
});

it.each([
  ['lift(load)', true],
  ['crane.lift (load)', true],
  [': lift (load)', false],
  ['lift ( load ) → boolean', false],
  ['void lift(Load load)', false],
  ['class Crane', false],
])('%s may be a call: %s', (line, mayCall) => {
  expect(declaredIn(line)?.mayCall).toBe(mayCall);
});
