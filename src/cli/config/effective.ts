import type { CommonFlags } from '../context.ts';
import { hasKey, keyedServices, variable } from '../keys.ts';
import { locateIndex } from '../locate-index.ts';
import type { Configuration } from './description.ts';

/** A value that holds. */
export interface EffectiveValue {
  readonly name: string;
  /** Of a key the last four letters. */
  readonly value: unknown;
  /** A flag, `environment`, the path of a file, or `default`. */
  readonly origin: string;
}

/** What holds where a configuration says nothing; what is not named here is then not there. */
const defaults: Configuration = { folders: [], leaveOut: [], embedder: 'local', ocr: { languages: [] } };

/** Everything that holds for commands, and where it comes from; keys as their last four letters. */
export function effectiveValues(flags: CommonFlags): readonly EffectiveValue[] {
  const { settings } = flags;
  const { file, config, environment, originOf } = settings;
  const place = locateIndex(flags);
  const values: EffectiveValue[] = [{ name: 'index', value: place.address, origin: place.origin }];
  const { $schema: _, index: __, services: ___, ...rest } = config;
  for (const [name, value] of Object.entries({ ...defaults, ...rest })) {
    const isConfigured = Object.hasOwn(rest, name);
    values.push({ name, value, origin: isConfigured ? file!.path : 'default' });
  }
  for (const service of Object.values(keyedServices)) {
    for (const suffix of ['API_KEY', 'BASE_URL', 'PROFILE'] as const) {
      const name = variable(service, suffix);
      const value = environment[name]?.trim();
      if (value)
        values.push({
          name,
          value: suffix === 'API_KEY' ? lastFour(value) : withoutPassword(value),
          origin: originOf(name)!,
        });
    }
    if (!hasKey(service, environment))
      values.push({ name: variable(service, 'API_KEY'), value: 'not set', origin: 'default' });
    const { headers, timeoutMs } = config.services?.[service.name] ?? {};
    if (headers) values.push({ name: `services.${service.name}.headers`, value: headers, origin: file!.path });
    if (timeoutMs !== undefined)
      values.push({ name: `services.${service.name}.timeoutMs`, value: timeoutMs, origin: file!.path });
  }
  for (const { key } of Object.values(config.servers ?? {})) {
    const value = key === undefined ? undefined : environment[key]?.trim();
    if (key !== undefined)
      values.push({ name: key, value: value ? lastFour(value) : 'not set', origin: originOf(key) ?? 'default' });
  }
  return values;
}

/** An address with a password is refused when it is used; who looks for the reason is not shown the password. */
function withoutPassword(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  return url.username === '' && url.password === '' ? text : text.replace(/\/\/[^/?#]*@/, '//…@');
}

/** `…9f2c`; of a short key, which four letters would tell, nothing. */
function lastFour(key: string): string {
  return `…${key.length < 12 ? '' : key.slice(-4)}`;
}
