import { readdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { uriOf, within } from '../ingest/folder-source.ts';

/** The device that a path is on; undefined where nothing is there. */
export type DeviceOf = (path: string) => number | undefined;

const deviceOf: DeviceOf = (path) => {
  try {
    return statSync(path).dev;
  } catch {
    return undefined; // a share that is gone may give an error of its own
  }
};

function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch {
    return false; // a file, or a folder that is closed to this user
  }
}

/**
 * Where the disks of some paths are mounted, as uris: those that can go away while an index in `base` is there.
 * @param paths absolute, of what is there
 */
export function disksOf(base: string, paths: readonly string[], device: DeviceOf = deviceOf): readonly string[] {
  const own = device(base);
  const disks = new Set<string>();
  for (const path of paths) {
    const on = device(path);
    if (on === undefined || on === own) continue;
    let top = path;
    while (dirname(top) !== top && device(dirname(top)) === on) top = dirname(top);
    if (dirname(top) !== top) disks.add(uriOf(base, top)); // the disk of the system does not go away
  }
  return [...disks].sort();
}

/** What is asked of the machine. */
export interface Machine {
  readonly device?: DeviceOf;
  isEmpty?(path: string): boolean;
}

/** The machine as it is when it is first asked: a run asks for each document. */
export function machineNow(): Machine {
  return { device: remembered(deviceOf), isEmpty: remembered(isEmptyFolder) };
}

function remembered<T>(ask: (path: string) => T): (path: string) => T {
  const known = new Map<string, T>();
  return (path) => {
    if (!known.has(path)) known.set(path, ask(path));
    return known.get(path) as T;
  };
}

/**
 * The disk of `disksOf` that a uri lay on, where nothing is mounted now. What has files is no mount point without its
 * disk: they were brought there in its place.
 */
export function missingDisk(
  base: string,
  disks: readonly string[],
  uri: string,
  { device = deviceOf, isEmpty = isEmptyFolder }: Machine = {},
): string | undefined {
  return disks.find((disk) => {
    if (!within(uri, disk)) return false;
    const path = resolve(base, disk);
    const on = device(path);
    return on === undefined || (on === device(dirname(path)) && isEmpty(path));
  });
}
