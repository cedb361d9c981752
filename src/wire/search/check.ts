import {
  anything,
  type Check,
  checkFields,
  type Fields,
  list,
  oneOf,
  refuse,
  required,
  requireRecord,
  shown,
  text,
} from '../http/check.ts';
import { findModel, type ModelKind, type SearchModel } from './models.ts';

/** An object of one of these kinds, told apart by `type`, with the fields of its kind and no others. */
export function tagged(kinds: Readonly<Record<string, Fields>>): Check {
  const type = required(oneOf(Object.keys(kinds)));
  return (field, value) => {
    if (value === undefined) return;
    requireRecord(field, value);
    type(`${field}.type`, value.type);
    checkFields(field, value, { type, ...kinds[String(value.type)] });
  };
}

/** Fields that are known, and left to the service: it refuses their wrong values at once, and says which. */
export function known(...names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, anything]));
}

/** A text, or a list of these. */
export function textOr(entry: Check, most?: number): Check {
  const entries = list(entry, most, 1);
  return (field, value) => (Array.isArray(value) ? entries : text)(field, value);
}

/** A string, also an empty one. */
export const string: Check = (field, value) => {
  if (typeof value !== 'string') refuse(field, `must be a string, got ${shown(value)}`);
};

/** A string of this form. */
export function matching(form: RegExp, what: string): Check {
  return (field, value) => {
    if (value === undefined || (typeof value === 'string' && form.test(value))) return;
    refuse(field, `must be ${what}, got ${shown(value)}`);
  };
}

/** A known model of this kind, by the reference's or the service's name. */
export function checkModel(value: unknown, models: readonly SearchModel[], kind: ModelKind): SearchModel {
  const names = models.filter((model) => model.kind === kind).map((model) => model.name);
  if (value === undefined || value === '') refuse('model', 'is required', `Use one of ${names.join(', ')}.`);
  const model = typeof value === 'string' ? findModel(models, kind, value) : undefined;
  if (model !== undefined) return model;
  const known = models.some(({ name, wireName }) => name === value || wireName === value);
  const problem = known ? `${shown(value)} is not a model of this operation` : `unknown model ${shown(value)}`;
  return refuse('model', problem, `Use one of ${names.join(', ')}; a newer model is added to the profile's models.`);
}
