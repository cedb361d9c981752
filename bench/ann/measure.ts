/** Measured in a process of its own: the build of one engine, or its searches by one method. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bytesIn } from '../support/report.ts';
import type { Engine } from './engine.ts';
import type { Built, NotBuilt } from './kept.ts';
import type { VectorFiles } from './vectors.ts';

/** Queries before those that are timed: what is measured is a process that goes on answering, from files in the cache. */
const WARM_MS = 5000;
const COLD = 8;

/** Raised in a build that would not end in time. */
class TooLong extends Error {}

export interface Searched {
  readonly rssBytes: number;
  readonly points: readonly { readonly setting: string; readonly recalls: number[]; readonly ms: number[] }[];
}

export async function build(
  engine: Engine,
  files: VectorFiles,
  place: string,
  limitMs: number,
): Promise<Omit<Built, 'load'> | NotBuilt> {
  const startedAt = performance.now();
  const progress = (rows: number): void => {
    const spent = performance.now() - startedAt;
    const whole = rows === 0 ? spent : (spent * files.rows) / rows;
    if (spent > Math.min(20_000, limitMs / 4) && whole > limitMs) {
      throw new TooLong(
        `the build would take about ${Math.round(whole / 60_000)} minutes, ${Math.round(limitMs / 1000)} s are given (${rows} rows in ${Math.round(spent / 1000)} s)`,
      );
    }
  };
  try {
    await engine.build(files, place, progress);
  } catch (error) {
    if (error instanceof TooLong) return { reason: error.message, limitMs };
    throw error;
  }
  const buildMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage();
  const buildRssBytes = process.resourceUsage().maxRSS * 1024;
  return { buildMs, buildCpuMs: (user + system) / 1000, buildRssBytes, diskBytes: bytesIn(place) };
}

export async function search(
  engine: Engine,
  method: string,
  files: VectorFiles,
  place: string,
  k: number,
): Promise<Searched> {
  const open = await engine.open(method, place, files);
  const points: Searched['points'][number][] = [];
  for (const setting of open.settings) {
    await open.use(setting);
    const warmUntil = performance.now() + WARM_MS;
    for (const query of files.queries) {
      if (performance.now() > warmUntil) break;
      await open.search(query, k);
    }
    const ms: number[] = [];
    const found: (readonly number[])[] = [];
    for (const query of files.queries) {
      const at = performance.now();
      found.push(await open.search(query, k));
      ms.push(performance.now() - at);
    }
    points.push({ setting, ms, recalls: found.map((rows, q) => files.recall(q, rows, k)) });
  }
  const rssBytes = process.memoryUsage.rss();
  await open.close();
  return { rssBytes, points };
}

export interface Cold {
  /** From opening the index to its first answer. */
  readonly firstMs: number;
  /**
   * Of each query after it, the files dropped again before each. What a process has mapped stays, wherever it has
   * looked.
   */
  readonly queryMs: readonly number[];
}

export async function searchCold(
  engine: Engine,
  method: string,
  files: VectorFiles,
  place: string,
  k: number,
): Promise<Cold> {
  const startedAt = performance.now();
  const open = await engine.open(method, place, files);
  await open.use(open.settings.at(-1)!);
  await open.search(files.queries[0]!, k);
  const firstMs = performance.now() - startedAt;
  const queryMs: number[] = [];
  for (const query of files.queries.slice(1, 1 + COLD)) {
    dropFromPageCache(place);
    const at = performance.now();
    await open.search(query, k);
    queryMs.push(performance.now() - at);
  }
  await open.close();
  return { firstMs, queryMs };
}

/**
 * Tells the system that nobody needs the pages of these files any more; other systems than Linux are not told, and
 * false is returned.
 */
export function dropFromPageCache(folder: string): boolean {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .every((entry) => {
      const path = join(entry.parentPath, entry.name);
      return spawnSync('dd', [`if=${path}`, 'iflag=nocache', 'count=0', 'status=none']).status === 0;
    });
}
