import { IbidError } from '../../core/errors.ts';

/** A mistake found before anything is sent: the field as a path, what is wrong with it, and the limit. */
export function refuse(field: string, problem: string, hint?: string): never {
  throw new IbidError('INVALID_ARGUMENT', `${field} ${problem}`, { hint });
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function mustBeText(value: unknown, field: string): string {
  if (typeof value !== 'string') refuse(field, 'must be a string');
  if (value.trim() === '') refuse(field, 'must hold more than white space', 'Leave empty blocks out.');
  return value;
}

export function mustBeInteger(value: unknown, field: string, least: number, most?: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || (most !== undefined && value > most)) {
    const range = most === undefined ? `at least ${least}` : `from ${least} to ${most}`;
    refuse(field, `must be a whole number ${range}, not ${String(value)}`);
  }
  return value;
}

export function mustBeNumber(value: unknown, field: string, least: number, most: number): number {
  if (typeof value !== 'number' || !(value >= least && value <= most)) {
    refuse(field, `must be a number from ${least} to ${most}, not ${String(value)}`);
  }
  return value;
}

export function mustBeOneOf(value: unknown, field: string, allowed: readonly string[], hint?: string): void {
  if (typeof value !== 'string' || !allowed.includes(value)) {
    refuse(
      field,
      `must be one of ${allowed.map((name) => `"${name}"`).join(', ')}, not ${JSON.stringify(value)}`,
      hint,
    );
  }
}

/** Refuses fields nobody knows: a misspelt option must not be dropped in silence. */
export function mustKnow(value: Record<string, unknown>, field: string, known: ReadonlySet<string>): void {
  for (const key of Object.keys(value)) {
    if (known.has(key) || value[key] === undefined) continue;
    const plain = key.replaceAll('_', '').toLowerCase();
    const near = [...known].find((name) => name.replaceAll('_', '').toLowerCase() === plain);
    const path = field === '' ? key : `${field}.${key}`;
    refuse(path, 'is not a field of this request', near === undefined ? undefined : `Did you mean "${near}"?`);
  }
}
