import type { Exchange, MultipartPart } from '../contract.ts';
import { type Check, Misfit } from '../shape.ts';

/** How a text part is read; its value is checked as what it stands for. */
export interface PartSpec {
  readonly kind: 'text' | 'boolean' | 'number' | 'json' | 'file';
  readonly check?: Check;
  readonly required?: boolean;
  /** The name may occur several times; the value is then a list. */
  readonly repeated?: boolean;
}

export type PartValues = Readonly<Record<string, unknown>>;

/**
 * A multipart body by the letter: no unknown part, no part twice unless it is a list, no literal `null`, files with a
 * name.
 */
export function readParts({ request }: Exchange, specs: Readonly<Record<string, PartSpec>>): PartValues {
  if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')) {
    throw new Misfit(['body'], 'model_attributes_type', 'Content-Type must be multipart/form-data');
  }
  const values: Record<string, unknown> = {};
  for (const part of request.parts) {
    const spec = Object.hasOwn(specs, part.name) ? specs[part.name] : undefined;
    const path = ['body', part.name];
    if (spec === undefined)
      throw new Misfit(path, 'extra_forbidden', 'Extra inputs are not permitted', part.text.slice(0, 100));
    const value = readPart(part, spec, path);
    if (spec.repeated === true) values[part.name] = [...((values[part.name] as unknown[] | undefined) ?? []), value];
    else if (Object.hasOwn(values, part.name))
      throw new Misfit(path, 'multiple_values', 'The part is given more than once');
    else values[part.name] = value;
  }
  for (const [name, spec] of Object.entries(specs)) {
    if (spec.required === true && values[name] === undefined)
      throw new Misfit(['body', name], 'missing', 'Field required');
  }
  return values;
}

function readPart(part: MultipartPart, spec: PartSpec, path: readonly string[]): unknown {
  if (spec.kind === 'file') {
    if (part.filename === undefined || part.filename === '')
      throw new Misfit(path, 'value_error', 'Expected UploadFile');
    return part;
  }
  if (part.text === 'null' || part.text === 'undefined') {
    throw new Misfit(path, `${spec.kind}_parsing`, 'Input should not be the word null', part.text);
  }
  const value = readText(part.text, spec.kind, path);
  spec.check?.(value, path);
  return value;
}

function readText(text: string, kind: PartSpec['kind'], path: readonly string[]): unknown {
  switch (kind) {
    case 'boolean':
      if (text !== 'true' && text !== 'false')
        throw new Misfit(path, 'bool_parsing', 'Input should be a valid boolean', text);
      return text === 'true';
    case 'number':
      if (text.trim() === '' || !Number.isFinite(Number(text))) {
        throw new Misfit(path, 'float_parsing', 'Input should be a valid number', text);
      }
      return Number(text);
    case 'json':
      try {
        return JSON.parse(text);
      } catch {
        throw new Misfit(path, 'json_invalid', 'Input should be valid JSON', text);
      }
    default:
      return text;
  }
}
