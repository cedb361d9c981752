import { type EffectiveValue, effectiveValues } from '../config/effective.ts';
import { type CommonFlags, printJson } from '../context.ts';
import { tellWarning } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';
import { say } from '../say.ts';
import { printableLine } from '../text.ts';

/** `ibid config`: what holds, and where each value comes from. */
export async function configCommand(flags: CommonFlags): Promise<number> {
  const values = effectiveValues(flags);
  const { file, keysFailure } = flags.settings;
  if (keysFailure) tellWarning(keysFailure);
  if (flags.json) {
    printJson({ ...(file && { file: file.path }), values });
    return exitCodes.done;
  }
  say(file ? file.path : 'no ibid.config.json here or above; `ibid init` writes one');
  say();
  const width = Math.max(...values.map(({ name }) => name.length));
  for (const { name, value, origin } of values)
    say(`${name.padEnd(width)}  ${shown(value)}  (${printableLine(origin)})`);
  return exitCodes.done;
}

function shown(value: EffectiveValue['value']): string {
  return printableLine(typeof value === 'string' ? value : JSON.stringify(value));
}
