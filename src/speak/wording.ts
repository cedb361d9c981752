/** A form of writing, and the words for it. */
export interface Wording {
  /** Sticky. */
  readonly pattern: RegExp;
  /** @param before the character before the match, '' at the start */
  readonly words: (match: RegExpExecArray, before: string) => string;
  /** It may begin inside a word or number. @default false */
  readonly inWord?: boolean;
}

/** One, and several. */
const units: Readonly<Record<string, readonly [string, string]>> = {
  km: ['kilometre', 'kilometres'],
  m: ['metre', 'metres'],
  cm: ['centimetre', 'centimetres'],
  mm: ['millimetre', 'millimetres'],
  µm: ['micrometre', 'micrometres'],
  'm²': ['square metre', 'square metres'],
  'km²': ['square kilometre', 'square kilometres'],
  'm³': ['cubic metre', 'cubic metres'],
  ha: ['hectare', 'hectares'],
  kg: ['kilogram', 'kilograms'],
  g: ['gram', 'grams'],
  mg: ['milligram', 'milligrams'],
  µg: ['microgram', 'micrograms'],
  t: ['tonne', 'tonnes'],
  l: ['litre', 'litres'],
  L: ['litre', 'litres'],
  ml: ['millilitre', 'millilitres'],
  mL: ['millilitre', 'millilitres'],
  s: ['second', 'seconds'],
  ms: ['millisecond', 'milliseconds'],
  min: ['minute', 'minutes'],
  h: ['hour', 'hours'],
  'km/h': ['kilometre per hour', 'kilometres per hour'],
  'm/s': ['metre per second', 'metres per second'],
  Hz: ['hertz', 'hertz'],
  kHz: ['kilohertz', 'kilohertz'],
  MHz: ['megahertz', 'megahertz'],
  GHz: ['gigahertz', 'gigahertz'],
  W: ['watt', 'watts'],
  kW: ['kilowatt', 'kilowatts'],
  MW: ['megawatt', 'megawatts'],
  kWh: ['kilowatt hour', 'kilowatt hours'],
  MWh: ['megawatt hour', 'megawatt hours'],
  V: ['volt', 'volts'],
  A: ['ampere', 'amperes'],
  mA: ['milliampere', 'milliamperes'],
  Pa: ['pascal', 'pascals'],
  kPa: ['kilopascal', 'kilopascals'],
  bar: ['bar', 'bar'],
  dB: ['decibel', 'decibels'],
  B: ['byte', 'bytes'],
  kB: ['kilobyte', 'kilobytes'],
  KB: ['kilobyte', 'kilobytes'],
  MB: ['megabyte', 'megabytes'],
  GB: ['gigabyte', 'gigabytes'],
  TB: ['terabyte', 'terabytes'],
  KiB: ['kibibyte', 'kibibytes'],
  MiB: ['mebibyte', 'mebibytes'],
  GiB: ['gibibyte', 'gibibytes'],
  '°C': ['degree Celsius', 'degrees Celsius'],
  '°F': ['degree Fahrenheit', 'degrees Fahrenheit'],
  '°': ['degree', 'degrees'],
  '%': ['percent', 'percent'],
  '‰': ['per mille', 'per mille'],
};

const currencies: Readonly<Record<string, readonly [string, string]>> = {
  $: ['dollar', 'dollars'],
  '€': ['euro', 'euros'],
  '£': ['pound', 'pounds'],
  USD: ['US dollar', 'US dollars'],
  EUR: ['euro', 'euros'],
  GBP: ['pound', 'pounds'],
};

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

const many: Readonly<Record<string, string>> = {
  k: 'thousand',
  K: 'thousand',
  m: 'million',
  M: 'million',
  mn: 'million',
  B: 'billion',
  bn: 'billion',
  T: 'trillion',
  tn: 'trillion',
};

const escaped = (name: string): string => name.replace(/[$/*+]/gu, '\\$&');
const oneOf = (names: Readonly<Record<string, unknown>>): string =>
  Object.keys(names)
    .sort((a, b) => b.length - a.length)
    .map(escaped)
    .join('|');

const NUMBER = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`;
const END = String.raw`(?![\p{L}\p{N}²³])`;

const bare = (number: string): string => number.replaceAll(',', '');
const named = (number: string, [one, several]: readonly [string, string]): string => (number === '1' ? one : several);

/** A number, or two as a range, as they are said. */
function amount(from: string, to: string | undefined): string {
  return to === undefined ? bare(from) : `${bare(from)} to ${bare(to)}`;
}

const RANGE = String.raw`(${NUMBER})(?:\s*[–-]\s*(${NUMBER}))?`;

const signs: Readonly<Record<string, string>> = {
  '±': 'plus or minus',
  '≥': 'at least',
  '≤': 'at most',
  '≈': 'about',
  '≠': 'is not',
  '×': 'times',
  '÷': 'divided by',
  '→': 'to',
  '=': 'equals',
  '>': 'more than',
  '<': 'less than',
  '>=': 'at least',
  '<=': 'at most',
  '!=': 'is not',
  '==': 'equals',
  '->': 'to',
  '=>': 'to',
  '&': 'and',
  '+': 'plus',
  '§': 'section',
};

const abbreviations: Readonly<Record<string, string>> = {
  'e.g.': 'for example',
  'i.e.': 'that is',
  'approx.': 'approximately',
  'cf.': 'compare',
  'vs.': 'versus',
};

const spell = (digits: string): string => digits.replace(/^0+(?=\d)/u, '');

/** What is said in English. */
export const englishWords: readonly Wording[] = [
  {
    pattern: /(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z?)?(?![\p{L}\p{N}-])/uy,
    words: ([, year, month, day, time]) =>
      `${spell(day!)} ${months[Number(month) - 1]} ${year}${time === undefined ? '' : `, ${time}`}`,
  },
  {
    pattern: /[vV]?(\d+(?:\.\d+){2,})(?![\p{L}\p{N}])/uy,
    words: ([text, version]) => `${/^v/iu.test(text!) ? 'version ' : ''}${version!.replaceAll('.', ' point ')}`,
  },
  {
    pattern: new RegExp(
      `(${oneOf(currencies)})\\s?${RANGE}(?:\\s(thousand|million|billion|trillion)|(${oneOf(many)}))?${END}`,
      'uy',
    ),
    words: ([, sign, from, to, word, letter], before) => {
      const times = word ?? many[letter ?? ''];
      const name = named(times === undefined && to === undefined ? from! : '', currencies[sign!]!);
      const blank = /\p{L}/u.test(before) ? ' ' : ''; // `US$5`
      return `${blank}${amount(from!, to)}${times === undefined ? '' : ` ${times}`} ${name}`;
    },
  },
  // a decade has no seconds
  { pattern: /(?:(?:1\d|20)\d|(?<=['’])\d)0s(?![\p{L}\p{N}])/uy, words: ([decade]) => decade! },
  {
    pattern: new RegExp(`${RANGE}\\s?(${oneOf(currencies)}|${oneOf(units)})${END}`, 'uy'),
    words: ([, from, to, unit]) =>
      `${amount(from!, to)} ${named(to === undefined ? from! : '', currencies[unit!] ?? units[unit!]!)}`,
  },
  { pattern: new RegExp(`(${NUMBER})\\s?–\\s?(${NUMBER})${END}`, 'uy'), words: ([, from, to]) => amount(from!, to) },
  { pattern: new RegExp(String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?${END}`, 'uy'), words: ([number]) => bare(number!) },
  { pattern: /(?:No|Nr)\.\s?(?=\d)/uy, words: () => 'number ' },
  { pattern: /Figs?\.\s?(?=\d)/uy, words: () => 'figure ' },
  {
    pattern: new RegExp(
      Object.keys(abbreviations)
        .map((name) => name.replaceAll('.', '\\.'))
        .join('|'),
      'uy',
    ),
    words: ([name]) => abbreviations[name!]!,
  },
  {
    // of `C++` none is a sign
    pattern: new RegExp(`(?<!\\s)\\s*(?<!\\+)(${oneOf(signs)})\\s*(?=[\\p{L}\\p{N}$€£]|\\.\\p{N})`, 'uy'),
    words: ([, sign]) => ` ${signs[sign!]} `,
    inWord: true,
  },
  // stars that `sayable` leaves are no emphasis
  { pattern: /\s\*\s|\*(?!\*)/uy, words: () => ' times ', inWord: true },
  { pattern: /\*\*/uy, words: () => ' to the power of ', inWord: true },
  // a path: what stands before the last point is said, and its kind
  {
    pattern:
      /(?<![\p{L}\p{N}._-])(?:[\p{L}\p{N}._-]+\/)+[\p{L}\p{N}_-]+(?:\.\p{L}[\p{L}\p{N}]{0,4})?(?![\p{L}\p{N}/])/uy,
    words: ([path]) =>
      path!
        .replace(/\.(\p{L}[\p{L}\p{N}]*)$/u, ' dot $1')
        .replaceAll('/', ' slash ')
        .replace(/[_-]+/gu, ' '),
  },
];
