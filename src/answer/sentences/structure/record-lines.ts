import type { Unit } from './units.ts';

/** `paths.get.summary: Lists boats`: where a value stands in a record, before the last dot. */
const place = /^(\S+)\.[^\s.:]+: \S/;
const fewestChars = 200;

/**
 * Lines of a record that say where a value stands are one sentence, as they have no end: those of one object are kept
 * together, and a long part is cut between objects.
 */
export function cutObjects(text: string, units: readonly Unit[]): Unit[] {
  return units.flatMap((unit) =>
    unit.kind === 'row' || unit.end - unit.start < fewestChars ? [unit] : objectsOf(text, unit),
  );
}

function objectsOf(text: string, unit: Unit): Unit[] {
  const out: Unit[] = [];
  let start = unit.start;
  let at = unit.start;
  let object: string | undefined;
  for (const line of text.slice(unit.start, unit.end).split('\n')) {
    const own = place.exec(line)?.[1];
    if (object !== undefined && own !== undefined && !isPartOf(own, object)) {
      out.push({ ...unit, start, end: at - 1 });
      start = at;
    }
    if (own !== undefined) object = own;
    at += line.length + 1;
  }
  return [...out, { ...unit, start }];
}

/** The same object, or one straight inside it. */
function isPartOf(own: string, object: string): boolean {
  return own === object || (own.startsWith(`${object}.`) && !own.slice(object.length + 1).includes('.'));
}
