import type { Where } from '../../store/where.ts';
import { warning } from '../answer-shapes.ts';
import type { AnyObjectSchema, Schema } from '../schema.ts';

export const string: Schema = { type: 'string' };
export const listOf = (
  properties: Readonly<Record<string, Schema>>,
  more: AnyObjectSchema['properties'] = {},
): Schema => ({
  type: 'array',
  items: { type: 'object', properties: { ...properties, ...more }, required: Object.keys(properties) },
});
export const named: Schema = {
  type: 'string',
  description: 'The index of `ref`, where there are several: `read` takes it.',
};
export const placesOf = (properties: Readonly<Record<string, Schema>>): Schema =>
  listOf({ ref: string, ...properties }, { index: named });

export const warnings: Schema = { type: 'array', items: warning };

export type Filter = Exclude<Where, string>;
