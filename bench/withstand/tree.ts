/** Memory of a process and all processes below it, from /proc: Linux only. */
import { readdirSync, readFileSync } from 'node:fs';

/** Every process of the tree. */
export function processesOf(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
    return [pid, ...children.flatMap(processesOf)];
  } catch {
    return []; // it ended meanwhile
  }
}

/**
 * Bytes in memory. Pages of files, nearly all of them the program itself, are shared by processes of one program: the
 * largest process counts them, the others do not.
 */
export function residentBytes(pids: readonly number[]): number {
  let own = 0;
  let shared = 0;
  for (const pid of pids) {
    try {
      const [, all, ofFiles] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number);
      own += all! - ofFiles!;
      shared = Math.max(shared, ofFiles!);
    } catch {} // it ended meanwhile
  }
  return (own + shared) * 4096;
}

/** Seconds of CPU that a process has used, without its children. */
export function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100; // ticks of 10 ms
  } catch {
    return 0;
  }
}
