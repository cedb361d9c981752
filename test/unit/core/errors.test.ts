import { describe, expect, it } from 'vitest';
import { IbidError } from '../../../src/core/errors.ts';

describe('IbidError', () => {
  class Narrower extends IbidError {}
  /** As another copy of the module would make it. */
  const foreign = Object.assign(new Error('no folder'), {
    name: 'IbidError',
    code: 'DATASET_INVALID',
    hint: undefined,
  });

  it('knows errors of another copy of its module', () => {
    expect(foreign instanceof IbidError).toBe(true);
    expect(foreign instanceof Narrower).toBe(false);
  });

  it('is itself, and a subclass is both', () => {
    expect(new IbidError('ABORTED', 'x') instanceof IbidError).toBe(true);
    expect(new IbidError('ABORTED', 'x') instanceof Narrower).toBe(false);
    expect(new Narrower('ABORTED', 'x') instanceof IbidError).toBe(true);
    expect(new Narrower('ABORTED', 'x') instanceof Narrower).toBe(true);
  });

  it('is no other error, and nothing that is no error', () => {
    expect(new Error('x') instanceof IbidError).toBe(false);
    expect(Object.assign(new Error('x'), { code: 'ENOENT' }) instanceof IbidError).toBe(false);
    for (const value of [undefined, null, 'IbidError', { name: 'IbidError', code: 'ABORTED', hint: '' }]) {
      expect((value as unknown) instanceof IbidError).toBe(false); // the right side decides, whatever the left one is
    }
  });
});
