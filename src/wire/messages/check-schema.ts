import { isRecord } from '../../core/records.ts';
import { refuse } from '../http/check.ts';

/** Keywords the service does not compile. */
const refused = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'patternProperties',
  'oneOf',
  'not',
  'if',
]);

/** Checks a schema for structured output. @throws IbidError INVALID_ARGUMENT naming the place */
export function checkOutputSchema(field: string, schema: unknown): void {
  if (!isRecord(schema)) refuse(field, 'must be a JSON Schema');
  visit(schema, field, schema, new Set());
}

/** `open`: the references being followed, so that a schema that leads back to itself is found. */
function visit(schema: unknown, field: string, root: Record<string, unknown>, open: ReadonlySet<string>): void {
  if (!isRecord(schema)) refuse(field, 'must be an object');
  for (const key of Object.keys(schema)) {
    if (refused.has(key))
      refuse(
        `${field}.${key}`,
        'is not supported in structured output',
        'Say it in the description and check the value yourself.',
      );
  }
  if (schema.$ref !== undefined) {
    follow(schema.$ref, field, root, open);
    return;
  }
  if (schema.minItems !== undefined && schema.minItems !== 0 && schema.minItems !== 1) {
    refuse(`${field}.minItems`, 'must be 0 or 1');
  }
  const isObject = schema.type === 'object' || (Array.isArray(schema.type) && schema.type.includes('object'));
  if ((isObject || schema.properties !== undefined) && schema.additionalProperties !== false) {
    refuse(`${field}.additionalProperties`, 'must be false on every object');
  }
  if (isRecord(schema.properties)) {
    for (const [name, value] of Object.entries(schema.properties))
      visit(value, `${field}.properties.${name}`, root, open);
  }
  if (schema.items !== undefined) visit(schema.items, `${field}.items`, root, open);
  for (const key of ['anyOf', 'allOf'] as const) {
    const list = schema[key];
    if (list === undefined) continue;
    if (!Array.isArray(list)) refuse(`${field}.${key}`, 'must be a list');
    for (const [at, part] of list.entries()) visit(part, `${field}.${key}[${at}]`, root, open);
  }
}

function follow(ref: unknown, field: string, root: Record<string, unknown>, open: ReadonlySet<string>): void {
  if (typeof ref !== 'string' || !ref.startsWith('#')) refuse(`${field}.$ref`, 'must be local ("#/…")');
  if (open.has(ref)) refuse(`${field}.$ref`, `"${ref}" leads back to itself; recursive schemas are not supported`);
  let target: unknown = root;
  for (const part of ref.split('/').slice(1)) {
    target = isRecord(target) ? target[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
  }
  if (target === undefined) refuse(`${field}.$ref`, `"${ref}" leads nowhere`);
  visit(target, field, root, new Set([...open, ref]));
}
