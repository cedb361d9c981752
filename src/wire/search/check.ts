import { IbidError } from '../../core/errors.ts';
import { findModel, type ModelKind, type SearchModel } from './models.ts';

/** Refuses a request before anything is sent. */
export function refuse(field: string, problem: string, hint?: string): never {
  throw new IbidError('INVALID_ARGUMENT', `${field}: ${problem}`, { hint });
}

/** How a value looks in a message: short, and never a whole text. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return value.length > 60 ? `"${value.slice(0, 60)}…"` : `"${value}"`;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function checkRecord(field: string, value: unknown): asserts value is Record<string, unknown> {
  if (!isRecord(value)) refuse(field, `must be an object, got ${shown(value)}`);
}

/** The server refuses unknown fields; so does this, with the field named. */
export function checkKnown(where: string, value: object, known: readonly string[]): void {
  for (const [key, entry] of Object.entries(value)) {
    if (entry === undefined || known.includes(key)) continue;
    refuse(
      where === '' ? key : `${where}.${key}`,
      'is not a field of this request',
      `Known here: ${known.join(', ')}. A field newer than this client goes into the option extraBody.`,
    );
  }
}

export function checkText(field: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') refuse(field, `must be a string, got ${shown(value)}`);
  if (value.trim() === '') refuse(field, 'must not be empty');
}

export function checkInteger(field: string, value: unknown, min: number, max: number): void {
  if (value === undefined) return;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    const range = max === Number.MAX_SAFE_INTEGER ? `at least ${min}` : `from ${min} to ${max}`;
    refuse(field, `must be a whole number ${range}, got ${shown(value)}`);
  }
}

export function checkNumber(field: string, value: unknown, min: number, max: number): void {
  if (value === undefined) return;
  if (typeof value !== 'number' || !(value >= min && value <= max)) {
    refuse(field, `must be a number from ${min} to ${max}, got ${shown(value)}`);
  }
}

export function checkBoolean(field: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'boolean') refuse(field, `must be true or false, got ${shown(value)}`);
}

export function checkOneOf(field: string, value: unknown, allowed: readonly string[]): void {
  if (value === undefined) return;
  if (typeof value !== 'string' || !allowed.includes(value)) {
    refuse(field, `must be one of ${allowed.join(', ')}, got ${shown(value)}`);
  }
}

/** An array of non-empty strings with at most `max` entries. */
export function checkTexts(field: string, value: unknown, max: number): asserts value is readonly string[] | undefined {
  if (value === undefined) return;
  if (!Array.isArray(value)) refuse(field, `must be an array of strings, got ${shown(value)}`);
  if (value.length === 0) refuse(field, 'must not be an empty array; leave it out instead');
  if (value.length > max) refuse(field, `holds ${value.length} entries; the limit is ${max}`);
  value.forEach((entry, index) => {
    checkText(`${field}[${index}]`, entry);
  });
}

/** A known model of this kind, by the reference's or the service's name. */
export function checkModel(
  field: string,
  value: unknown,
  models: readonly SearchModel[],
  kind: ModelKind,
): SearchModel {
  const names = models.filter((model) => model.kind === kind).map((model) => model.name);
  if (value === undefined || value === '') refuse(field, 'is required', `Use one of ${names.join(', ')}.`);
  const model = typeof value === 'string' ? findModel(models, kind, value) : undefined;
  if (model !== undefined) return model;
  const other = typeof value === 'string' ? models.find((m) => m.name === value || m.wireName === value) : undefined;
  const problem =
    other === undefined ? `unknown model ${shown(value)}` : `${shown(value)} is not a model of this operation`;
  return refuse(field, problem, `Use one of ${names.join(', ')}; a newer model is added to the profile's models.`);
}
