// Filters of the page ↔ `where` of the API.

/**
 * What is chosen: formats, one folder, values and ranges of metadata.
 * @typedef {object} Chosen
 * @property {readonly string[]} formats
 * @property {string} folder ends with `/`; '' for all
 * @property {Readonly<Record<string, string | number | boolean>>} values by key of metadata
 * @property {Readonly<Record<string, { least?: string | number, most?: string | number }>>} ranges by key of metadata
 */

/** @type {Chosen} */
export const nothingChosen = { formats: [], folder: '', values: {}, ranges: {} };

/**
 * @param {Chosen} chosen
 * @returns {Record<string, unknown>}
 */
export function whereOf({ formats, folder, values, ranges }) {
  /** @type {Record<string, unknown>} */
  const where = {};
  if (formats.length > 0) where.format = formats.length === 1 ? formats[0] : formats;
  // all names that begin with the folder: `0` is the character after `/`
  if (folder !== '') where.uri = { gte: folder, lt: `${folder.slice(0, -1)}0` };
  for (const [key, value] of Object.entries(values)) where[`metadata.${key}`] = value;
  for (const [key, { least, most }] of Object.entries(ranges)) {
    const range = { ...(least !== undefined && { gte: least }), ...(most !== undefined && { lte: upTo(most) }) };
    if (Object.keys(range).length > 0) where[`metadata.${key}`] = range;
  }
  return where;
}

/**
 * What a link had chosen; what this page cannot show is left out.
 * @param {Readonly<Record<string, unknown>>} where
 * @returns {Chosen}
 */
export function chosenOf(where) {
  const { format, uri, ...rest } = where;
  const formats = (Array.isArray(format) ? format : [format]).filter((one) => typeof one === 'string');
  const from = isRange(uri) && typeof uri.gte === 'string' && uri.gte.endsWith('/') ? uri.gte : '';
  /** @type {Record<string, string | number | boolean>} */
  const values = {};
  /** @type {Record<string, { least?: string | number, most?: string | number }>} */
  const ranges = {};
  for (const [name, value] of Object.entries(rest)) {
    if (!name.startsWith('metadata.')) continue;
    const key = name.slice('metadata.'.length);
    if (isValue(value)) values[key] = value;
    else if (isRange(value)) {
      const { gte, lte } = value;
      ranges[key] = { ...(isLimit(gte) && { least: gte }), ...(isLimit(lte) && { most: dayOf(lte) }) };
    }
  }
  return { formats, folder: from, values, ranges };
}

/** @param {Chosen} chosen */
export function countOf({ formats, folder, values, ranges }) {
  return formats.length + Number(folder !== '') + Object.keys(values).length + Object.keys(ranges).length;
}

const END_OF_DAY = 'T23:59:59.999Z';

/** A day is meant to its end, also where times are compared as texts. @param {string | number} most */
function upTo(most) {
  return typeof most === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(most) ? `${most}${END_OF_DAY}` : most;
}

/** @param {string | number} most */
function dayOf(most) {
  return typeof most === 'string' && most.endsWith(END_OF_DAY) ? most.slice(0, -END_OF_DAY.length) : most;
}

/**
 * @param {unknown} value
 * @returns {value is { gte?: unknown, lte?: unknown }}
 */
function isRange(value) {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/**
 * @param {unknown} value
 * @returns {value is string | number}
 */
function isLimit(value) {
  return typeof value === 'string' || typeof value === 'number';
}

/**
 * @param {unknown} value
 * @returns {value is string | number | boolean}
 */
function isValue(value) {
  return isLimit(value) || typeof value === 'boolean';
}
