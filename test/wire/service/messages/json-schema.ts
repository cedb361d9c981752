import { refuseField } from './errors.ts';

type Schema = Readonly<Record<string, unknown>>;

const refusedKeywords = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'oneOf',
  'not',
  'patternProperties',
  'if',
  'minProperties',
  'maxProperties',
];

/**
 * Refuses (400) an output schema the service does not take: open objects, bounds, recursion, outer references, too many
 * optional or union parameters.
 */
export function checkOutputSchema(root: Schema, path: string): void {
  const counts = { optional: 0, union: 0 };
  const visit = (schema: unknown, at: string, refs: readonly string[]): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const node = schema as Schema;
    for (const keyword of refusedKeywords) {
      if (keyword in node)
        refuseField(at, `For '${String(node.type ?? 'schema')}' type, property '${keyword}' is not supported`);
    }
    if (typeof node.minItems === 'number' && node.minItems > 1)
      refuseField(at, 'minItems values other than 0 or 1 are not supported');
    if (typeof node.$ref === 'string') {
      const ref = node.$ref;
      if (!ref.startsWith('#')) refuseField(at, 'external $ref is not supported');
      if (refs.includes(ref)) refuseField(at, 'recursive schemas are not supported');
      visit(resolve(root, ref, at), at, [...refs, ref]);
      return;
    }
    if (node.type === 'object' || 'properties' in node) {
      if (node.additionalProperties !== false)
        refuseField(at, "For 'object' type, 'additionalProperties' must be explicitly set to false");
      const required = new Set(Array.isArray(node.required) ? node.required : []);
      for (const [name, child] of Object.entries((node.properties ?? {}) as Schema)) {
        if (!required.has(name)) counts.optional += 1;
        visit(child, `${at}.properties.${name}`, refs);
      }
    }
    if (Array.isArray(node.type) || 'anyOf' in node) counts.union += 1;
    for (const list of ['anyOf', 'allOf'] as const) {
      if (Array.isArray(node[list])) node[list].forEach((child, i) => void visit(child, `${at}.${list}.${i}`, refs));
    }
    if ('items' in node) visit(node.items, `${at}.items`, refs);
  };
  visit(root, path, ['#']);
  if (counts.optional > 24) refuseField(path, 'Schemas contains too many optional parameters (limit: 24)');
  if (counts.union > 16) refuseField(path, 'Schemas contains too many parameters with union types (limit: 16)');
}

function resolve(root: Schema, ref: string, at: string): unknown {
  let node: unknown = root;
  for (const part of ref.split('/').slice(1))
    node = (node as Schema | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  return node ?? refuseField(at, `$ref ${ref} leads nowhere`);
}

/** The plainest value a schema allows: what a stand-in answers when a structured answer is asked for. */
export function sample(schema: unknown, root: unknown = schema): unknown {
  const node = (typeof schema === 'object' && schema !== null ? schema : {}) as Schema;
  if ('const' in node) return node.const;
  if (Array.isArray(node.enum)) return node.enum[0];
  if ('default' in node) return node.default;
  if (typeof node.$ref === 'string') return sample(resolve(root as Schema, node.$ref, ''), root);
  if (Array.isArray(node.anyOf)) return sample(node.anyOf[0], root);
  if (Array.isArray(node.allOf)) return Object.assign({}, ...node.allOf.map((part) => sample(part, root)));
  const type = Array.isArray(node.type) ? node.type[0] : node.type;
  if (type === 'object' || 'properties' in node) {
    const properties = (node.properties ?? {}) as Schema;
    const required = new Set(Array.isArray(node.required) ? (node.required as string[]) : []);
    // Required properties come first.
    const names = Object.keys(properties).sort((a, b) => Number(required.has(b)) - Number(required.has(a)));
    return Object.fromEntries(names.map((name) => [name, sample(properties[name], root)]));
  }
  if (type === 'array') return [sample(node.items, root)];
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  return 'text';
}
