import { IbidError } from '../../core/errors.ts';

/** The dialects of a service: that of the reference document, and that of the compatible public service. */
export interface Profiles<P> {
  readonly reference: P;
  readonly public: P;
}

export type ProfileName = keyof Profiles<unknown>;

export const profileNames: readonly ProfileName[] = ['reference', 'public'];

/**
 * The profile of a name, or `base` with the fields of an object in place of its own.
 * @param nested fields that are objects themselves, whose entries are replaced one by one
 * @throws IbidError INVALID_ARGUMENT
 */
export function chooseProfile<P extends object>(
  profiles: Profiles<P>,
  choice: ProfileName | Partial<P> = 'reference',
  nested: readonly (keyof P)[] = [],
  base: P = profiles.reference,
): P {
  if (choice === 'reference' || choice === 'public') return profiles[choice];
  if (typeof choice !== 'object' || choice === null) {
    throw new IbidError('INVALID_ARGUMENT', `profile: must be "reference", "public" or an object, got "${choice}"`);
  }
  const merged = { ...base, ...choice };
  for (const name of nested) merged[name] = { ...base[name], ...choice[name] } as P[keyof P]; // both are of the field's type
  return Object.freeze(merged);
}
