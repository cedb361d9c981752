/**
 * What stands behind an install of ibid: version, licence, install script, age of the last release, known advisories.
 *
 *   npm run supply                 the packages that users install
 *   npm run supply -- --all        those for development too
 *
 * Ends with 1 for a licence that is not in the list below, an install script that nobody has looked at, or an
 * advisory. Releases and advisories come from the registry; where it does not answer, the reason is printed.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readFlags } from '../../bench/support/flags.ts';
import { production } from './packages.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** Licences that let a product under MIT be installed and passed on with all that it brings. */
const licences = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Unlicense'],
  '(AFL-2.1 OR BSD-3-Clause)',
  ...['PSF-2.0', 'Python-2.0', 'CC0-1.0', 'MPL-2.0', 'MIT OR Apache-2.0', 'Apache-2.0 OR MIT'],
]);
/** Looked at by hand: what an install script does. */
const scripts: Readonly<Record<string, string>> = {
  node: 'links the Node of its own platform; for development alone',
  'msgpackr-extract': 'looks for a prebuilt binary among its own packages; not run, and not needed',
};

interface PackageFile {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  /** The older form of the field. */
  readonly licenses?: readonly { readonly type: string }[];
  readonly scripts?: Readonly<Record<string, string>>;
}

export interface Supplied {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Names of the scripts that an install runs. */
  readonly scripts: readonly string[];
}

const installScripts = ['preinstall', 'install', 'postinstall'];

/** Installed packages; those that npm left out on this platform are not there. */
export function suppliedPackages(all: boolean = false): readonly Supplied[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: object }; // npm's shape
  const folders = all ? Object.keys(lock.packages).filter((folder) => folder !== '') : production;
  return folders.flatMap((folder) => {
    const path = join(root, folder, 'package.json');
    if (!existsSync(path)) return [];
    const file = JSON.parse(readFileSync(path, 'utf8')) as PackageFile; // npm's shape
    const { name, version, license, licenses = [], scripts: own = {} } = file;
    const licence = license ?? (licenses.map(({ type }) => type).join(' OR ') || 'none named');
    return { name, version, licence, scripts: installScripts.filter((script) => own[script] !== undefined) };
  });
}

/** What nobody has agreed to, in words. */
export function supplyFaults(supplied: readonly Supplied[]): readonly string[] {
  return supplied.flatMap(({ name, licence, scripts: own }) => [
    ...(licences.has(licence) ? [] : [`${name} has the licence ${licence}`]),
    ...(own.length === 0 || scripts[name] !== undefined ? [] : [`${name} runs ${own.join(', ')} when it is installed`]),
  ]);
}

/** The date of the newest release, or why there is none. */
async function lastRelease(name: string): Promise<string> {
  try {
    const { stdout } = await run('npm', ['view', name, 'time', '--json'], { cwd: root });
    const times = Object.entries(JSON.parse(stdout) as Record<string, string>); // version → ISO 8601
    const dates = times.filter(([version]) => /^\d/.test(version)).map(([, date]) => date.slice(0, 10));
    return dates.sort().at(-1) ?? 'not told';
  } catch {
    return 'not told';
  }
}

interface Audit {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>;
  readonly message?: string;
}

/** npm ends with 1 when there is an advisory, and when the registry has no list of them. */
async function advisories(all: boolean): Promise<{ readonly found: readonly string[]; readonly skipped?: string }> {
  const flags = all ? [] : ['--omit=dev'];
  const { stdout } = await run('npm', ['audit', '--json', ...flags], { cwd: root }).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  );
  let audit: Audit = {};
  try {
    audit = JSON.parse(stdout) as Audit; // npm's shape
  } catch {
    return { found: [], skipped: 'npm gave no list' };
  }
  const { vulnerabilities, message } = audit;
  if (vulnerabilities === undefined) {
    return { found: [], skipped: `the registry gave no list (${/\b\d{3}\b/.exec(message ?? '')?.[0] ?? 'no answer'})` };
  }
  return { found: Object.entries(vulnerabilities).map(([name, one]) => `${name} ${one.range}: ${one.severity}`) };
}

async function main(): Promise<void> {
  const { values } = readFlags(import.meta.filename, { options: { all: { type: 'boolean', default: false } } });
  const { all } = values;
  const supplied = suppliedPackages(all);
  const dates = new Map<string, string>();
  const queue = supplied.values();
  const worker = async (): Promise<void> => {
    for (const { name } of queue) dates.set(name, await lastRelease(name));
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  for (const { name, version, licence, scripts: own } of supplied) {
    const script = own.length === 0 ? '' : `  runs ${own.join(', ')}: ${scripts[name] ?? 'NOBODY HAS LOOKED AT IT'}`;
    console.log(`${name.padEnd(44)} ${version.padEnd(14)} ${licence.padEnd(18)} ${dates.get(name)}${script}`);
  }
  const { found, skipped } = await advisories(all);
  const faults = [...supplyFaults(supplied), ...found.map((one) => `advisory: ${one}`)];
  console.log(`\n${supplied.length} packages, ${faults.length === 0 ? 'no fault' : `${faults.length} faults`}`);
  for (const fault of faults) console.log(`  ${fault}`);
  if (skipped !== undefined) console.log(`advisories skipped: ${skipped}`);
  if (faults.length > 0) process.exitCode = 1;
}

if (import.meta.main) await main();
