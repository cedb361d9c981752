/**
 * A value that breaks a shape: where, how, and what it should have been. Each service writes it in its own error
 * format.
 */
export class Misfit extends Error {
  /** Keys and positions from the body's root. */
  readonly path: readonly (string | number)[];
  /** Machine name: `missing`, `extra_forbidden`, `string_type`, `less_than_equal` … */
  readonly kind: string;
  readonly input: unknown;
  readonly context: Readonly<Record<string, unknown>> | undefined;

  constructor(
    path: readonly (string | number)[],
    kind: string,
    message: string,
    input?: unknown,
    context?: Readonly<Record<string, unknown>>,
  ) {
    super(message);
    this.name = 'Misfit';
    this.path = path;
    this.kind = kind;
    this.input = input;
    this.context = context;
  }

  /** `tools[0].filters`, as an error's `param` spells it. */
  get field(): string {
    return this.path.reduce<string>((text, part) => {
      if (typeof part === 'number') return `${text}[${part}]`;
      return text === '' ? part : `${text}.${part}`;
    }, '');
  }
}

export type Path = readonly (string | number)[];

/** @throws Misfit when the value does not fit */
export type Check = (value: unknown, path: Path) => void;

export type Fields = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const anything: Check = () => {};

export function text(limits: { min?: number; max?: number; pattern?: RegExp } = {}): Check {
  return (value, path) => {
    if (typeof value !== 'string') throw new Misfit(path, 'string_type', 'Input should be a valid string', value);
    if (value.length < (limits.min ?? 0)) {
      throw new Misfit(path, 'string_too_short', `String should have at least ${limits.min} characters`, value, {
        min_length: limits.min,
      });
    }
    if (value.length > (limits.max ?? Number.POSITIVE_INFINITY)) {
      throw new Misfit(path, 'string_too_long', `String should have at most ${limits.max} characters`, value, {
        max_length: limits.max,
      });
    }
    if (limits.pattern !== undefined && !limits.pattern.test(value)) {
      throw new Misfit(path, 'string_pattern_mismatch', `String should match ${limits.pattern.source}`, value);
    }
  };
}

export function number(min: number = Number.NEGATIVE_INFINITY, max: number = Number.POSITIVE_INFINITY): Check {
  return (value, path) => {
    if (typeof value !== 'number') throw new Misfit(path, 'float_type', 'Input should be a valid number', value);
    if (value < min) {
      throw new Misfit(path, 'greater_than_equal', `Input should be greater than or equal to ${min}`, value, {
        ge: min,
      });
    }
    if (value > max) {
      throw new Misfit(path, 'less_than_equal', `Input should be less than or equal to ${max}`, value, { le: max });
    }
  };
}

export function integer(min?: number, max?: number): Check {
  const range = number(min, max);
  return (value, path) => {
    if (!Number.isInteger(value)) throw new Misfit(path, 'int_type', 'Input should be a valid integer', value);
    range(value, path);
  };
}

export const flag: Check = (value, path) => {
  if (typeof value !== 'boolean') throw new Misfit(path, 'bool_type', 'Input should be a valid boolean', value);
};

export function oneOf(...allowed: readonly (string | number | boolean)[]): Check {
  return (value, path) => {
    if (!allowed.some((item) => item === value)) {
      throw new Misfit(path, 'literal_error', `Input should be one of ${allowed.join(', ')}`, value, {
        expected: allowed.join(', '),
      });
    }
  };
}

export function list(item: Check, limits: { min?: number; max?: number } = {}): Check {
  return (value, path) => {
    if (!Array.isArray(value)) throw new Misfit(path, 'list_type', 'Input should be a valid list', value);
    if (value.length < (limits.min ?? 0)) {
      throw new Misfit(path, 'too_short', `List should have at least ${limits.min} items`, undefined, {
        min_length: limits.min,
      });
    }
    if (value.length > (limits.max ?? Number.POSITIVE_INFINITY)) {
      throw new Misfit(
        path,
        'too_long',
        `List should have at most ${limits.max} items, not ${value.length}`,
        undefined,
        {
          max_length: limits.max,
        },
      );
    }
    value.forEach((entry, at) => {
      item(entry, [...path, at]);
    });
  };
}

/** A key ending in `?` may be absent; a key that is not named is refused; `null` is only taken by `nullable`. */
export function record(fields: Readonly<Record<string, Check>>): Check {
  const checks = new Map(
    Object.entries(fields).map(([key, check]) => [key.replace(/\?$/, ''), { check, optional: key.endsWith('?') }]),
  );
  return (value, path) => {
    if (!isRecord(value)) throw new Misfit(path, 'model_type', 'Input should be a valid object', value);
    for (const key of Object.keys(value)) {
      if (!checks.has(key)) {
        throw new Misfit([...path, key], 'extra_forbidden', `Extra inputs are not permitted: ${key}`, value[key]);
      }
    }
    for (const [key, { check, optional }] of checks) {
      if (Object.hasOwn(value, key)) check(value[key], [...path, key]);
      else if (!optional) throw new Misfit([...path, key], 'missing', 'Field required', value);
    }
  };
}

export function mapping(item: Check, limits: { max?: number } = {}): Check {
  return (value, path) => {
    if (!isRecord(value)) throw new Misfit(path, 'dict_type', 'Input should be a valid dictionary', value);
    const keys = Object.keys(value);
    if (keys.length > (limits.max ?? Number.POSITIVE_INFINITY)) {
      throw new Misfit(path, 'too_long', `Dictionary should have at most ${limits.max} items`, undefined);
    }
    for (const key of keys) item(value[key], [...path, key]);
  };
}

export function nullable(check: Check): Check {
  return (value, path) => {
    if (value !== null) check(value, path);
  };
}

/** Picks the shape by the value itself, so that the complaint names the field inside the right alternative. */
export function choose(pick: (value: unknown, path: Path) => Check): Check {
  return (value, path) => pick(value, path)(value, path);
}

/** Records told apart by a string key, mostly `type`. */
export function tagged(key: string, kinds: Readonly<Record<string, Readonly<Record<string, Check>>>>): Check {
  const shapes = new Map(Object.entries(kinds).map(([tag, fields]) => [tag, record({ [key]: oneOf(tag), ...fields })]));
  return choose((value, path) => {
    if (!isRecord(value)) throw new Misfit(path, 'model_type', 'Input should be a valid object', value);
    const shape = shapes.get(String(value[key]));
    if (shape === undefined) {
      throw new Misfit([...path, key], 'union_tag_invalid', `Unknown ${key}: ${String(value[key])}`, value[key]);
    }
    return shape;
  });
}
