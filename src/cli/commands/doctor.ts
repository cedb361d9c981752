import { type Finding, IbidError, type RepairSummary, type SearchIndex } from '../../index.ts';
import type { Settings } from '../config/settings.ts';
import { type CommonFlags, printJson, withIndex, withoutServers } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { commandHint, inCommandWords } from '../hints.ts';
import { howToSet, type KeyedService, keyedServices, variable } from '../keys.ts';
import { checkOnline } from '../online.ts';
import { programFindings } from '../programs.ts';
import { progressReporter } from '../progress.ts';
import { say, tell } from '../say.ts';
import { openServer, servedModels } from '../servers.ts';
import { openClient } from '../services.ts';
import { counted, printableLine } from '../text.ts';
import { version } from '../version.ts';

export interface DoctorFlags extends CommonFlags {
  readonly repair?: boolean;
  readonly budget?: number;
  /** Asks each service with a key for its models. */
  readonly online?: boolean;
}

export async function doctorCommand(flags: DoctorFlags, signal: AbortSignal): Promise<number> {
  const findings: Finding[] = [
    { check: 'node', ok: true, detail: process.versions.node },
    { check: 'ibid', ok: true, detail: version() },
  ];
  let repair: RepairSummary | undefined;
  const { settings } = flags;
  findings.push({ check: 'configuration', ok: true, detail: settings.file?.path ?? 'none; `ibid init` writes one' });
  for (const service of Object.values(keyedServices)) findings.push(await keyFinding(service, settings));
  findings.push(...(await programFindings(signal)));
  const servers = await serverFindings(settings);
  findings.push(...servers.map(({ opens: _, ...finding }) => finding));
  if (flags.online) findings.push(...(await checkOnline(settings, signal)));
  const reading = servers.every(({ opens }) => opens) || flags.repair ? flags : withoutServers(flags);
  try {
    await withIndex(reading, signal, async (index) => {
      if (flags.repair) repair = await repaired(index, flags, signal);
      for (const { hint, ...finding } of await index.check({ signal }))
        findings.push({ ...finding, ...(hint !== undefined && { hint: inCommandWords(hint) }) });
    });
  } catch (error) {
    if (!(error instanceof IbidError) || error.code !== 'INDEX_NOT_FOUND') throw error;
    findings.push({ check: 'index', ok: false, detail: `${error.message}. ${commandHint(error)}` });
  }
  if (flags.json) printJson({ findings, ...(repair && { repair }) });
  else for (const { check, ok, detail } of findings) say(`${ok ? 'ok  ' : 'BAD '} ${check}: ${printableLine(detail)}`);
  if (!flags.json) for (const { hint } of findings) if (hint !== undefined) tell(`hint: ${hint}`);
  const isDamaged = findings.some(({ check, ok }) => check === 'checksums' && !ok);
  const isOfShard = findings.some(({ ok, detail }) => !ok && detail.startsWith('shard '));
  if (isDamaged && !isOfShard) tell(`hint: ${repairHint}`);
  if (findings.some(({ ok }) => !ok)) return exitCodes.unexpected;
  return (repair?.lost.length ?? 0) > 0 ? exitCodes.someFailed : exitCodes.done;
}

const repairHint = '`ibid doctor --repair` mends what it can, and reads the documents of damaged files again.';

async function repaired(
  index: SearchIndex,
  { budget, json }: DoctorFlags,
  signal: AbortSignal,
): Promise<RepairSummary> {
  const progress = progressReporter({});
  try {
    const run = index.repair({ signal, budget });
    for await (const event of run) {
      if (event.type === 'damaged')
        for (const { file, what } of event.files) tell(`damaged  ${printableLine(file)} ${printableLine(what)}`);
      else if (event.type !== 'done') progress.handle(event);
    }
    const summary = await run;
    const { damaged, reread, kept, lost, dropped, elapsedMs } = summary;
    for (const uri of lost) tell(`lost  ${printableLine(uri)} could be read neither from a file nor from the index`);
    for (const table of dropped) tell(`dropped  ${table}`);
    if (json) return summary;
    const seconds = (elapsedMs / 1000).toFixed(1);
    const documents = `${counted(reread, 'document')} read again, ${kept} taken over, ${lost.length} lost`;
    say(damaged.length === 0 ? 'nothing is damaged' : `repaired in ${seconds} s: ${documents}`);
    return summary;
  } finally {
    progress.stop();
  }
}

/** Whether there is a key of a service, where it leads, and how to set one. The key itself is not shown. */
async function keyFinding(service: KeyedService, settings: Settings): Promise<Finding> {
  const check = variable(service, 'API_KEY');
  const client = await openClient(settings, service.name);
  if (!client) return { check, ok: true, detail: `not set; for ${service.uses}. ${howToSet(service)}` };
  if (client instanceof IbidError)
    return { check, ok: false, detail: `${client.message}. ${commandHint(client) ?? ''}` };
  await client.close();
  const address = settings.environment[variable(service, 'BASE_URL')]!; // the client was opened with it
  return { check, ok: true, detail: `is set, for ${new URL(address.trim()).origin}` };
}

/** What the servers of the configuration are for, and whether they can be opened; that asks none of them. */
async function serverFindings(settings: Settings): Promise<readonly (Finding & { readonly opens: boolean })[]> {
  return await Promise.all(
    Object.entries(settings.config.servers ?? {}).map(async ([name, { baseUrl, key }]) => {
      const jobs = servedModels(settings).flatMap(({ server, job, model }) =>
        server === name ? [`${job} ${model}`] : [],
      );
      const check = `server ${name}`;
      const detail = `${baseUrl}: ${jobs.length > 0 ? jobs.join(', ') : 'for nothing yet'}`;
      try {
        await (await openServer(settings, name)).close();
      } catch (error) {
        if (!(error instanceof IbidError)) throw error;
        const told = `${detail}; ${error.message}. ${commandHint(error) ?? ''}`;
        return { check, ok: false, detail: told, opens: false };
      }
      const isMissing = key !== undefined && !settings.environment[key]?.trim();
      return { check, ok: !isMissing, detail: isMissing ? `${detail}; ${key} is not set` : detail, opens: true };
    }),
  );
}
