import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { wrongUse } from './flags.ts';

/**
 * The folder that a bench measures: the one that was named, else that of IBID_SHARED. Where it is missing the bench
 * ends: with 2 if it was named, else with 0, since a clone comes without data.
 * @param file of the bench, `import.meta.filename`
 * @param part of IBID_SHARED
 */
export function dataFolder(file: string, named: string | undefined, part: 'data' | 'data-train'): string {
  const shared = process.env.IBID_SHARED ?? join(import.meta.dirname, '../../../shared');
  const folder = resolve(named ?? join(shared, part));
  if (existsSync(folder)) return folder;
  if (named !== undefined) wrongUse(file, `there is no folder ${folder}`);
  console.log(`skipped: there is no folder ${folder}; IBID_SHARED names its parent`);
  process.exit(0);
}
