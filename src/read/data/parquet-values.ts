import type { SchemaTree } from 'hyparquet';
import { decimalText, singleOf, timeText } from './rows.ts';

type Show = (value: unknown) => unknown;

const UNITS: Readonly<Record<string, number>> = { MILLIS: 3, MICROS: 6, NANOS: 9 };

/**
 * How values of a column are written that the library would give as numbers alone: decimals, which lose digits as a
 * double, numbers of 32 bits, which gain some, and times of a day. Takes their types out of the schema, so that they
 * come as they are stored.
 * @returns undefined for a column without such values
 */
export function shownOf({ element, children }: SchemaTree): Show | undefined {
  if (children.length === 0) return scalarOf(element);
  const shows = children.map((child) => [child.element.name, shownOf(child)] as const);
  if (shows.every(([, show]) => show === undefined)) return undefined;
  const kind = element.logical_type?.type ?? element.converted_type;
  // A list has a group of elements in it, a map one of keys and values; rows hold arrays and plain objects.
  if (kind === 'LIST') return shows[0]![1];
  const fields = new Map(shows);
  return each((value) => {
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, (fields.get(name) ?? ((same) => same))(inner)]),
    );
  });
}

function scalarOf(element: SchemaTree['element']): Show | undefined {
  const { converted_type: converted, logical_type: logical } = element;
  if (element.type === 'FLOAT') return each(singleOf);
  let show: Show | undefined;
  if (converted === 'DECIMAL' || logical?.type === 'DECIMAL') {
    const scale = element.scale ?? (logical?.type === 'DECIMAL' ? logical.scale : 0);
    show = (value) => decimalText(value instanceof Uint8Array ? unitsOf(value) : BigInt(value as number), scale);
  } else if (converted === 'TIME_MILLIS' || converted === 'TIME_MICROS' || logical?.type === 'TIME') {
    const digits = UNITS[logical?.type === 'TIME' ? logical.unit : converted!.slice('TIME_'.length)] ?? 3;
    show = (value) => timeText(BigInt(value as number), digits);
  }
  if (show === undefined) return undefined;
  delete element.converted_type;
  delete element.logical_type;
  return each(show);
}

/** The same for each value of a list, however deep. */
function each(show: Show): Show {
  const shown: Show = (value) =>
    value === null || value === undefined ? value : Array.isArray(value) ? value.map(shown) : show(value);
  return shown;
}

/** A whole number in two's complement, the highest byte first. */
function unitsOf(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
}
