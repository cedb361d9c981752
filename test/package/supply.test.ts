import { describe, expect, it } from 'vitest';
import { type Supplied, suppliedPackages, supplyFaults } from '../support/supply.ts';

describe('what stands behind an install', () => {
  const sound: Supplied = { name: 'sound', version: '1.0.0', licence: 'MIT', scripts: [] };

  it('runs no script, and has a licence that allows passing it on: packages of users', () => {
    const supplied = suppliedPackages();
    expect(supplied.length).toBeGreaterThan(20);
    expect(supplyFaults(supplied)).toEqual([]);
    expect(supplied.filter(({ scripts }) => scripts.length > 0)).toEqual([]);
  });

  it('is looked at where it runs a script: packages for development', () => {
    expect(supplyFaults(suppliedPackages(true))).toEqual([]);
  });

  it.each([
    [{ ...sound, licence: 'AGPL-3.0' }, ['sound has the licence AGPL-3.0']],
    [{ ...sound, licence: 'none named' }, ['sound has the licence none named']],
    [{ ...sound, scripts: ['postinstall'] }, ['sound runs postinstall when it is installed']],
    [sound, []],
  ])('is told where nobody has agreed: %j', (one, faults) => {
    expect(supplyFaults([one])).toEqual(faults);
  });
});
