let units = new Uint16Array(2 ** 14);
let bytes = Buffer.from(units.buffer);

/**
 * The code units of a text, and one 0 behind them, in memory that the next call overwrites: a loop over these takes a
 * third of the time of one that asks the string for each.
 */
export function codeUnitsOf(text: string): Uint16Array {
  if (text.length >= units.length) {
    units = new Uint16Array(2 * text.length);
    bytes = Buffer.from(units.buffer);
  }
  bytes.write(text, 0, 'utf16le');
  units[text.length] = 0;
  return units;
}
