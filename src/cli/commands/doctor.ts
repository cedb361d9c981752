import type { Finding } from '../../index.ts';
import { type CommonFlags, printJson, withIndex } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { hasKey, howToSet, type KeyedService, messagesService, searchService, variable } from '../keys.ts';
import { say } from '../say.ts';
import { printableLine } from '../text.ts';
import { version } from '../version.ts';

export async function doctorCommand(flags: CommonFlags, signal: AbortSignal): Promise<number> {
  return await withIndex(flags, signal, async (index) => {
    const findings = [
      { check: 'node', ok: true, detail: process.versions.node },
      { check: 'ibid', ok: true, detail: version() },
      ...[searchService, messagesService].map((service) => keyFinding(service)),
      ...(await index.check({ signal })),
    ];
    if (flags.json) printJson({ findings });
    else
      for (const { check, ok, detail } of findings) say(`${ok ? 'ok  ' : 'BAD '} ${check}: ${printableLine(detail)}`);
    return findings.every(({ ok }) => ok) ? exitCodes.done : exitCodes.unexpected;
  });
}

/** Whether there is a key of a service, where it leads, and how to set one. The key itself is not shown. */
function keyFinding(service: KeyedService): Finding {
  const check = variable(service, 'API_KEY');
  if (!hasKey(service)) return { check, ok: true, detail: `not set; for ${service.uses}. ${howToSet(service)}` };
  const address = process.env[variable(service, 'BASE_URL')]!; // the services are open: the address was checked
  return { check, ok: true, detail: `is set, for ${new URL(address.trim()).origin}` };
}
