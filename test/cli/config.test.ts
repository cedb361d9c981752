import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EffectiveValue } from '../../src/cli/config/effective.ts';
import { type CliResult, runCli } from '../support/cli.ts';
import { tempFolder, writeFiles } from '../support/temp.ts';
import { startService } from '../wire/service/service.ts';

const documents = {
  'docs/pump.md': '# Pump\n\nThe pump is serviced in May by Odile Brandvik.\n',
  'docs/draft.tmp.md': '# Draft\n\nThe draft is not for reading.\n',
  'elsewhere/valve.md': '# Valve\n\nThe valve opens above 45 bar.\n',
};

/** A folder with documents and a configuration, a home of its own, and the command as a person runs it there. */
function place(config?: object, environment: NodeJS.ProcessEnv = {}) {
  const folder = tempFolder(documents);
  const home = tempFolder();
  const path = join(folder, 'ibid.config.json');
  if (config) writeFileSync(path, JSON.stringify(config, null, 2));
  const keysPath = join(home, 'ibid/keys');
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, ...environment };
  return {
    folder,
    path,
    keysPath,
    keys: (text: string, mode = 0o600) => {
      mkdirSync(join(home, 'ibid'), { recursive: true });
      writeFileSync(keysPath, text);
      chmodSync(keysPath, mode);
    },
    run: (...args: string[]) => runCli(args, { cwd: folder, env }),
    runIn: (below: string, ...args: string[]) => runCli(args, { cwd: join(folder, below), env }),
  };
}

const json = <T>({ status, stdout, stderr }: CliResult): T => {
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout) as T;
};

/** Value and origin by name, as `ibid config --json` has them. */
const held = (result: CliResult): Record<string, [unknown, string]> =>
  Object.fromEntries(
    json<{ values: EffectiveValue[] }>(result).values.map(({ name, value, origin }) => [name, [value, origin]]),
  );

describe('a configuration', () => {
  it('makes commands work without an argument, in its folder and below', async () => {
    const { folder, run, runIn } = place({ folders: ['docs'], leaveOut: ['*.tmp.*'], index: 'search/index' });
    const summary = json<{ added: number; leftOut: { reason: string; entries: number }[] }>(
      await run('ingest', '--json'),
    );
    expect(summary).toMatchObject({ added: 1, leftOut: [{ reason: 'as asked', entries: 1 }] });
    expect(existsSync(join(folder, 'search/index/lance'))).toBe(true);
    const { hits } = json<{ hits: { uri: string }[] }>(await runIn('docs', 'search', 'pump', '--json'));
    expect(hits.map(({ uri }) => uri)).toEqual(['docs/pump.md']);
    expect((await runIn('elsewhere', 'ask', 'Who services the pump?')).stdout).toContain('Odile Brandvik');
    expect((await run('ingest', 'elsewhere')).stdout).toContain('1 added'); // a path goes before the configured folders
  });

  it('is no document', async () => {
    const { run } = place({ folders: ['.'] });
    expect(json<{ added: number }>(await run('ingest', '--json')).added).toBe(3);
  });

  it('holds below its folder up to the home folder, and the nearest one holds', async () => {
    const { folder, run, runIn, path } = place({ budget: 1 });
    writeFiles(folder, { 'docs/ibid.config.json': '{"budget": 2}' });
    expect(held(await run('config', '--json')).budget).toEqual([1, path]);
    expect(held(await runIn('elsewhere', 'config', '--json')).budget).toEqual([1, path]);
    expect(held(await runIn('docs', 'config', '--json')).budget).toEqual([2, join(folder, 'docs/ibid.config.json')]);
    const home = join(folder, 'docs');
    rmSync(join(home, 'ibid.config.json'));
    const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home };
    const inHome = await runCli(['config'], { cwd: home, env });
    expect(inHome.stdout).toContain('no ibid.config.json here or above');
    const link = join(folder, 'link');
    symlinkSync(home, link);
    for (const name of [`${home}/`, link]) {
      const written = await runCli(['config'], { cwd: home, env: { ...env, HOME: name } });
      expect(written.stdout).toContain('no ibid.config.json here or above');
    }
  });

  it('is refused in another encoding: its patterns would leave out nothing', async () => {
    const { folder, path, run } = place();
    const text = '{"folders": ["."], "leaveOut": ["Gehälter"]}';
    for (const bytes of [Buffer.from(text, 'latin1'), Buffer.from(`\ufeff${text}`, 'utf16le')]) {
      writeFileSync(path, bytes);
      const { status, stderr } = await run('ingest');
      expect(stderr).toMatch(/^error\[FILE_UNREADABLE\]: .*ibid\.config\.json is not in UTF-8/);
      expect(status).toBe(1);
    }
    expect(existsSync(join(folder, '.ibid'))).toBe(false);
    writeFileSync(path, `\ufeff${text}`);
    expect((await run('config')).stdout).toContain('"Gehälter"');
  });

  it.skipIf(process.platform === 'win32')('is refused as a link that leads nowhere: it may hold a budget', async () => {
    const { path, run } = place();
    for (const target of ['nowhere.json', 'ibid.config.json']) {
      rmSync(path, { force: true });
      symlinkSync(target, path);
      const { status, stderr } = await run('ingest', 'docs');
      expect(stderr).toMatch(/^error\[FILE_UNREADABLE\]: .*ibid\.config\.json/);
      expect(status).toBe(1);
    }
  });

  it('takes no number that is none', async () => {
    const { path, run } = place();
    writeFileSync(path, '{"budget": 1e999}');
    expect((await run('config')).stderr).toContain('budget must be a number');
  });

  it('says line and place of what is wrong, of every command, and changes nothing', async () => {
    const { folder, path, run } = place();
    writeFileSync(path, '{\n  "folders": ["docs"],\n  "embeder": "local"\n}\n');
    for (const args of [['ingest'], ['search', 'pump'], ['ask', 'x'], ['status'], ['config']]) {
      const { status, stdout, stderr } = await run(...args);
      expect(stderr).toBe(
        `error[INVALID_ARGUMENT]: ${path}:3: embeder is not known; did you mean "embedder"? Known are $schema, folders, leaveOut, index, indexCache, embedder, models, servers, services, prices, fees, privateAddresses, ocr, speech, budget\n` +
          'hint: All fields are described in ibid.config.schema.json of the package; `ibid init --force` writes the file anew.\n',
      );
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    }
    expect(existsSync(join(folder, '.ibid'))).toBe(false);
    expect((await run('--help')).status).toBe(0);
  });

  it('bounds the cost of a command that names no budget', async () => {
    const service = await startService({ only: ['search'] });
    onTestFinished(() => service.close());
    const keys = { IBID_SEARCH_API_KEY: 'test-search-key', IBID_SEARCH_BASE_URL: service.url };
    const { run } = place({ folders: ['docs'], embedder: 'embed-context-v1-0.6b', budget: 0 }, keys);
    expect((await run('ingest')).stderr).toMatch(/^error\[BUDGET_EXCEEDED\]/m);
    expect(service.requests).toEqual([]);
    expect((await run('ingest', '--budget', '1')).status).toBe(0);
    const { embedder } = json<{ embedder: string }>(await run('status', '--json'));
    expect(embedder).toBe('embed-context-v1-0.6b@1024');
  });
});

describe('where a value comes from', () => {
  it('is flag, environment, keys file, configuration, default, in this order', async () => {
    const services = { search: { baseUrl: 'https://configured.example', profile: 'public' } };
    const { folder, path, keys, keysPath, run } = place({ index: 'configured', services });
    const names = ['index', 'IBID_SEARCH_API_KEY', 'IBID_SEARCH_BASE_URL', 'IBID_SEARCH_PROFILE', 'embedder'] as const;
    const now = async (...args: string[]) => {
      const values = held(await run('config', '--json', ...args));
      return names.map((name) => values[name]);
    };
    expect(await now()).toEqual([
      [join(folder, 'configured'), path],
      ['not set', 'default'],
      ['https://configured.example', path],
      ['public', path],
      ['local', 'default'],
    ]);
    keys(
      '# mine\nIBID_SEARCH_API_KEY="key-of-the-file-wxyz"\n\nexport IBID_SEARCH_BASE_URL=https://mine.example\nIBID_INDEX=filed\n',
    );
    expect((await now()).slice(0, 3)).toEqual([
      [join(folder, 'filed'), keysPath],
      ['…wxyz', keysPath],
      ['https://mine.example', keysPath],
    ]);
    const env = {
      ...process.env,
      XDG_CONFIG_HOME: join(keysPath, '../..'),
      IBID_INDEX: 'env',
      IBID_SEARCH_API_KEY: '',
    };
    const inEnvironment = held(await runCli(['config', '--json'], { cwd: folder, env }));
    expect(inEnvironment.index).toEqual([join(folder, 'env'), 'environment']);
    expect(inEnvironment.IBID_SEARCH_API_KEY).toEqual(['not set', 'default']); // an empty value switches a key off
    const flagged = held(await runCli(['config', '--json', '--index', 'flag'], { cwd: folder, env }));
    expect(flagged.index).toEqual([join(folder, 'flag'), '--index']);
  });

  it('of a key shows four letters, of a short one none', async () => {
    const { keys, run } = place();
    keys('IBID_SEARCH_API_KEY=a-secret-that-nobody-sees-1234\nIBID_MESSAGES_API_KEY=short\n');
    const { stdout, stderr } = await run('config');
    expect(stdout).toMatch(/IBID_SEARCH_API_KEY +…1234 /);
    expect(stdout).toMatch(/IBID_MESSAGES_API_KEY +… /);
    expect(stdout + stderr).not.toMatch(/secret|short/);
  });
});

describe('the keys file', () => {
  it.skipIf(process.platform === 'win32')('is refused when others can read it, and says how to mend that', async () => {
    const { keys, keysPath, run } = place();
    keys('IBID_SEARCH_API_KEY=a-secret-that-nobody-sees', 0o640);
    const { status, stdout, stderr } = await run('config');
    expect(stderr).toContain(`note: others can read the keys in ${keysPath} (mode 640)`);
    expect(stderr).toContain(`chmod 600 ${keysPath}`);
    expect(stdout).toMatch(/IBID_SEARCH_API_KEY +not set/);
    expect(stdout + stderr).not.toContain('secret');
    expect(status).toBe(0);
    const answer = await run('answer', 'What is new?');
    expect(answer.stderr).toContain(`error[PERMISSION_DENIED]: others can read the keys in ${keysPath} (mode 640)`);
    expect(answer.status).toBe(1);
  });

  it('names the line that is no key, without its text', async () => {
    const { keys, run } = place();
    keys('IBID_SEARCH_API_KEY=x\nsecret words\n');
    const { status, stderr } = await run('search', 'pump', '--web');
    expect(stderr).toMatch(/keys: line 2 is no key\nhint: A line is NAME=value/);
    expect(stderr).not.toContain('secret');
    expect(status).toBe(2);
  });

  it.each(['a wrong line', 'a folder'])('that cannot be read stops only what needs a key: %s', async (what) => {
    const { keys, keysPath, run } = place({ folders: ['docs'] });
    if (what === 'a folder') mkdirSync(keysPath, { recursive: true });
    else keys('no key\n');
    const reason = what === 'a folder' ? `${keysPath} cannot be read` : 'line 1 is no key';
    for (const args of [
      ['ingest'],
      ['status'],
      ['search', 'pump'],
      ['ask', 'Who services the pump?', '--extractive'],
    ]) {
      const { status, stderr } = await run(...args);
      expect(status, stderr).toBe(0);
      expect(stderr).not.toContain(reason);
    }
    const usual = await run('ask', 'Who services the pump?');
    expect(usual.stdout).toContain('Odile Brandvik');
    expect(usual.stderr).toContain(`note: `);
    expect(usual.stderr).toContain(reason);
    for (const args of [
      ['ask', 'Who services the pump?', '--mode', 'grounded'],
      ['search', 'pump', '--rerank'],
      ['search', 'pump', '--web'],
      ['research', 'Who services the pump?'],
    ])
      expect((await run(...args)).stderr).toMatch(new RegExp(`^error\\[\\w+\\]: .*${reason.slice(-20)}`, 'm'));
    const doctor = await run('doctor');
    expect(doctor.stdout).toContain(`BAD  IBID_MESSAGES_API_KEY: `);
    expect(doctor.status).toBe(1);
  });

  it.each([
    ['others can read it', 'IBID_INDEX=other\n', 0o644, 'PERMISSION_DENIED'],
    ['of a wrong line', 'IBID_INDEX=other\nno key\n', 0o600, 'INVALID_ARGUMENT'],
  ])('that names the index and is not used is no reason to take another index: %s', async (_, text, mode, code) => {
    const { keys, keysPath, run } = place({ folders: ['docs'] });
    expect((await run('ingest')).status).toBe(0);
    keys(text, mode);
    for (const args of [['ingest'], ['search', 'pump'], ['status'], ['remove', 'docs/pump.md']]) {
      const { status, stdout, stderr } = await run(...args);
      expect(stderr, args[0]).toContain(`error[${code}]: IBID_INDEX stands in ${keysPath}, which is not used: `);
      expect(stderr).toContain('--index');
      expect({ status: status === 0, stdout }).toEqual({ status: false, stdout: '' });
    }
    expect((await run('search', 'pump', '--index', '.ibid')).stdout).toContain('docs/pump.md');
  });

  it('sends no key where only a configuration says, which may come with a folder of somebody else', async () => {
    const { keys, run, runIn } = place({
      folders: ['docs'],
      services: { messages: { baseUrl: 'https://evil.example' } },
    });
    keys('IBID_MESSAGES_API_KEY=a-secret-that-nobody-sees');
    expect((await run('ingest')).status).toBe(0);
    expect((await run('status')).status).toBe(0);
    const { status, stderr } = await run('ask', 'Who services the pump?');
    expect(stderr).toMatch(
      /^error\[UNSAFE_ADDRESS\]: .*ibid\.config\.json would send IBID_MESSAGES_API_KEY to https:\/\/evil\.example$/m,
    );
    expect(stderr).toContain('IBID_MESSAGES_BASE_URL=https://evil.example');
    expect(status).toBe(1);
    expect((await runIn('.', 'ask', 'Who services the pump?', '--extractive')).stdout).toContain('Odile');
  });
});

describe('ibid init', () => {
  it('writes what the flags say, and commands then need no argument', async () => {
    const { path, run } = place();
    const args = ['init', '--folders', 'docs', 'elsewhere', '--leave-out', '*.tmp.*', '--budget', '0.5'];
    expect((await run(...args)).stdout).toContain(`${path} is written`);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      folders: ['docs', 'elsewhere'],
      leaveOut: ['*.tmp.*'],
      index: '.ibid',
      embedder: 'local',
      budget: 0.5,
    });
    expect((await run('ingest')).stdout).toContain('2 added');
  });

  it('never asks without a terminal, and writes over nothing without --force', async () => {
    const { folder, path, run } = place();
    expect((await run('init')).status).toBe(0);
    const before = readFileSync(path, 'utf8');
    const again = await run('init', '--folders', 'docs');
    expect(again.stderr).toMatch(/exists already\nhint: .*--force/);
    expect(again.status).toBe(2);
    expect(readFileSync(path, 'utf8')).toBe(before);
    writeFiles(folder, { 'node_modules/ibid/ibid.config.schema.json': '{}' });
    const forced = json<{ config: object }>(await run('init', '--folders', 'docs', '--force', '--json'));
    expect(forced.config).toMatchObject({
      $schema: './node_modules/ibid/ibid.config.schema.json',
      folders: ['docs'],
    });
  });

  it('names a server with its embedder', async () => {
    const { path, run } = place();
    await run('init', '--embedder', 'ollama/nomic-embed-text', '--server', 'http://127.0.0.1:11434');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      embedder: { server: 'ollama', model: 'nomic-embed-text' },
      servers: { ollama: { baseUrl: 'http://127.0.0.1:11434' } },
    });
  });

  it.each(['local', 'embed-v1-4b', 'pplx-embed-context-v1-0.6b'])('takes the embedder %s', async (embedder) => {
    const { path, run } = place();
    expect((await run('init', '--embedder', embedder)).status).toBe(0);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ embedder });
  });

  it.each([
    [['--folders', 'missing'], 'there is no folder "missing" here'],
    [['--folders', '..'], 'leads out of'],
    [['--server', 'http://127.0.0.1:1'], '--server needs an embedder of it'],
    [['--embedder', 'bogus'], 'there is no embedder "bogus"\nhint: Use local, server/model'],
    [['--embedder', 'ollama/nomic'], 'needs the address of its server'],
    [['--embedder', 'ollama/nomic', '--server', 'localhost'], 'must be an address'],
    [['--budget', '-1'], 'must be a number, at least 0'],
  ])('%j ends with a clear word, and writes nothing', async (args, why) => {
    const { path, run } = place();
    const { status, stderr } = await run('init', ...args);
    expect(stderr).toContain(why);
    expect(status).toBe(2);
    expect(existsSync(path)).toBe(false);
  });
});
