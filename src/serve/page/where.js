// Filters of the page ↔ `where` of the API.

/**
 * What is chosen: formats, one folder, values and ranges of metadata.
 * @typedef {object} Chosen
 * @property {readonly string[]} formats
 * @property {string} folder ends with `/`; '' for all
 * @property {Readonly<Record<string, string | number | boolean>>} values by key of metadata
 * @property {Readonly<Record<string, { least?: string | number, most?: string | number }>>} ranges by key of metadata
 * @property {Readonly<Record<string, unknown>>} others conditions of a link that have no control here
 */

/** @type {Chosen} */
export const nothingChosen = { formats: [], folder: '', values: {}, ranges: {}, others: {} };

/**
 * @param {Chosen} chosen
 * @returns {Record<string, unknown>}
 */
export function whereOf({ formats, folder, values, ranges, others }) {
  /** @type {Record<string, unknown>} */
  const where = { ...others };
  if (formats.length > 0) where.format = formats.length === 1 ? formats[0] : formats;
  // all names that begin with the folder: `0` is the character after `/`
  if (folder !== '') where.uri = { gte: folder, lt: endOf(folder) };
  for (const [key, value] of Object.entries(values)) where[`metadata.${key}`] = value;
  for (const [key, { least, most }] of Object.entries(ranges)) {
    const range = { ...(least !== undefined && { gte: least }), ...(most !== undefined && { lte: upTo(most) }) };
    if (Object.keys(range).length > 0) where[`metadata.${key}`] = range;
  }
  return where;
}

/** What follows all names in a folder. @param {string} folder */
function endOf(folder) {
  return `${folder.slice(0, -1)}0`;
}

/**
 * What a link had chosen.
 * @param {Readonly<Record<string, unknown>>} where
 * @returns {Chosen}
 */
export function chosenOf(where) {
  /** @type {readonly string[]} */
  let formats = [];
  let folder = '';
  /** @type {Record<string, string | number | boolean>} */
  const values = {};
  /** @type {Record<string, { least?: string | number, most?: string | number }>} */
  const ranges = {};
  /** @type {Record<string, unknown>} */
  const others = {};
  for (const [name, value] of Object.entries(where)) {
    const key = name.startsWith('metadata.') ? name.slice('metadata.'.length) : undefined;
    const range = rangeOf(value);
    const list = [value].flat();
    if (name === 'format' && isTexts(list)) formats = list;
    else if (name === 'uri' && isFolder(value)) folder = value.gte;
    else if (key !== undefined && isValue(value)) values[key] = value;
    else if (key !== undefined && range) ranges[key] = range;
    else others[name] = value;
  }
  return { formats, folder, values, ranges, others };
}

/** @param {Chosen} chosen */
export function countOf({ formats, folder, values, ranges, others }) {
  const all = [values, ranges, others].map((one) => Object.keys(one).length);
  return all.reduce((sum, count) => sum + count, formats.length + Number(folder !== ''));
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
 * @returns {value is Record<string, unknown>}
 */
function isObject(value) {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The range of a condition that is one and nothing else. @param {unknown} value */
function rangeOf(value) {
  if (!isObject(value)) return undefined;
  const { gte, lte, ...more } = value;
  if (Object.keys(value).length === 0 || Object.keys(more).length > 0) return undefined;
  if (![gte, lte].every((one) => one === undefined || isLimit(one))) return undefined;
  return { ...(isLimit(gte) && { least: gte }), ...(isLimit(lte) && { most: dayOf(lte) }) };
}

/**
 * @param {unknown} value
 * @returns {value is { gte: string, lt: string }}
 */
function isFolder(value) {
  if (!isObject(value) || Object.keys(value).length !== 2) return false;
  const { gte, lt } = value;
  return typeof gte === 'string' && gte.endsWith('/') && lt === endOf(gte);
}

/**
 * @param {readonly unknown[]} values
 * @returns {values is string[]}
 */
function isTexts(values) {
  return values.length > 0 && values.every((one) => typeof one === 'string');
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
