import { anything, type Fields, refuse, shown } from '../http/check.ts';
import { findModel, type ModelKind, type SearchModel } from './models.ts';

/** Fields that are known, and left to the service: it refuses their wrong values at once, and says which. */
export function known(...names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, anything]));
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
