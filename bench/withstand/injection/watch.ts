/**
 * Preloaded into every process of a run (`--import`): writes down each connection, look-up of a name, program and file
 * that no question has asked for. Connections to loopback go through; all others fail, so that nothing is ever sent.
 *
 * `IBID_WATCH_LOG`: where it writes. `IBID_WATCH_OUTSIDE`: a folder that nobody may touch.
 */
import childProcess from 'node:child_process';
import dns from 'node:dns';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { resolve } from 'node:path';

const append = fs.appendFileSync;
const note = (what: string): void => {
  const log = process.env.IBID_WATCH_LOG;
  if (log !== undefined) append(log, `${JSON.stringify(what)}\n`);
};

type Anything = (...args: never[]) => unknown;

/** Replaces a function of a built-in module; `look` sees its arguments first, and may refuse by throwing. */
function watch(owner: object, name: string, look: (args: readonly unknown[]) => void): void {
  const table = owner as Record<string, Anything | undefined>; // members of built-in modules, by name
  const real = table[name];
  if (real === undefined) return;
  table[name] = function (this: unknown, ...args: never[]): unknown {
    look(args);
    return Reflect.apply(real, this, args);
  };
}

const isLoopback = (host: unknown): boolean =>
  host === undefined || host === '127.0.0.1' || host === '::1' || host === 'localhost';

const refused = (host: unknown): Error =>
  Object.assign(new Error(`refused by the watch: ${String(host)}`), { code: 'ENOTFOUND' });

watch(net.Socket.prototype, 'connect', (given) => {
  const [first, second] = (Array.isArray(given[0]) ? given[0] : given) as unknown[];
  const options = (typeof first === 'object' && first !== null ? first : { port: first, host: second }) as {
    readonly path?: string;
    readonly host?: string;
  };
  if (options.path !== undefined || isLoopback(options.host)) return;
  note(`connection to ${options.host}`);
  throw refused(options.host);
});
const lookUp = ([host]: readonly unknown[]): void => {
  if (isLoopback(host)) return;
  note(`look-up of ${String(host)}`);
  throw refused(host);
};
for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
  watch(dns, name, lookUp);
  watch(dns.promises, name, lookUp);
}
for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync'])
  watch(childProcess, name, ([program]) => {
    if (program !== process.execPath) note(`program ${String(program)}`);
  });
const touched = ([path]: readonly unknown[]): void => {
  const outside = process.env.IBID_WATCH_OUTSIDE;
  if (outside === undefined || (typeof path !== 'string' && !(path instanceof URL))) return;
  const whole = path instanceof URL ? path.pathname : resolve(path);
  if (whole === outside || whole.startsWith(`${outside}/`)) note(`file ${whole}`);
};
for (const name of ['open', 'openSync', 'readFile', 'readFileSync', 'writeFile', 'writeFileSync', 'createReadStream'])
  watch(fs, name, touched);
for (const name of ['open', 'readFile', 'writeFile', 'appendFile']) watch(fs.promises, name, touched);
syncBuiltinESMExports();
