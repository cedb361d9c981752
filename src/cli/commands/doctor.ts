import { type CommonFlags, printJson, withIndex } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { version } from '../version.ts';

export async function doctorCommand(flags: CommonFlags, signal: AbortSignal): Promise<number> {
  return await withIndex(flags, signal, async (index) => {
    const findings = [
      { check: 'node', ok: true, detail: process.versions.node },
      { check: 'ibid', ok: true, detail: version() },
      ...(await index.check({ signal })),
    ];
    if (flags.json) printJson({ findings });
    else for (const { check, ok, detail } of findings) console.log(`${ok ? 'ok  ' : 'BAD '} ${check}: ${detail}`);
    return findings.every(({ ok }) => ok) ? exitCodes.done : exitCodes.unexpected;
  });
}
