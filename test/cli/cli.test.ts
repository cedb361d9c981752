import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type CliResult, cliEntry, runCli } from '../support/cli.ts';
import { makeTempFolder, tempFolder, writeFiles } from '../support/temp.ts';
import { at, makePdf } from '../unit/read/formats-make.ts';

const commands = [
  'ingest',
  'reembed',
  'search',
  'ask',
  'research',
  'answer',
  'show',
  'status',
  'doctor',
  'remove',
  'eval',
  'tune',
  'gate',
  'export',
  'watch',
  'serve',
  'mcp',
  'token',
  'completion',
];

const docs: Readonly<Record<string, string>> = {
  'docs/lighthouse.md':
    '---\ntitle: The lighthouse\n---\n# The lighthouse\n\nThe keeper counts passing ships at dawn.\n\n## Fuel\n\nThe lamp burns rapeseed oil. A full tank lasts nine nights.\n',
  'docs/harbour.txt': 'The harbour master is Ines Okafor.\n\nShe opens the gate at half past five in the morning.\n',
  'docs/errors.md':
    '# Errors\n\n`ERR_TIDE_GATE_JAMMED` means that the gate did not close.\n\nCall `resetGate()` and try again.\n',
  'docs/weather.csv': 'station,wind,gusts\nNorth Pier,12,19\nSouth Pier,9,14\n',
};

/** JSON of a command that must have succeeded. */
const json = <T>({ status, stdout, stderr }: CliResult): T => {
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout) as T;
};

describe('the command line', () => {
  const folder = makeTempFolder();
  const run = (...args: string[]): Promise<CliResult> => runCli(args, { cwd: folder });

  it('ingests, says nothing on stdout but the receipt, and leaves an unchanged folder alone', async () => {
    writeFiles(folder, docs);
    const first = json<Record<string, unknown>>(await run('ingest', 'docs', '--json'));
    expect(Object.keys(first)).toEqual(
      'documents chunks added updated removed renamed unchanged failed skipped leftOut tokens costUsd elapsedMs'.split(
        ' ',
      ),
    );
    expect(first).toMatchObject({ documents: 4, added: 4, failed: [], costUsd: 0 });
    expect(json(await run('ingest', 'docs', '--json'))).toMatchObject({ added: 0, unchanged: 4, tokens: 0 });
  });

  it('finds by word, identifier, phrase and filter, each hit with the keys of the contract', async () => {
    type Found = { query: string; hits: { rank: number; score: number; uri: string; text: string; lines: number[] }[] };
    const byWord = json<Found>(await run('search', 'rapeseed', '--json'));
    expect(byWord.query).toBe('rapeseed');
    expect(byWord.hits[0]).toMatchObject({
      rank: 1,
      uri: 'docs/lighthouse.md',
      title: 'The lighthouse',
      origin: 'local',
    });
    for (const key of ['rank', 'score', 'uri', 'title', 'text', 'span', 'origin', 'trace']) {
      expect(byWord.hits[0]).toHaveProperty(key);
    }
    const first = async (...args: string[]): Promise<string | undefined> =>
      json<Found>(await run('search', ...args, '--json')).hits[0]?.uri;
    expect(await first('ERR_TIDE_GATE_JAMMED')).toBe('docs/errors.md');
    expect(await first('resetGate()')).toBe('docs/errors.md');
    expect(await first('gate', '--where', "format = 'text'")).toBe('docs/harbour.txt');
    expect(json<Found>(await run('search', 'gate', '--limit', '1', '--json')).hits).toHaveLength(1);
  });

  it('explains a score by its parts, and brings neighbours along when asked', async () => {
    type Explained = {
      hits: { trace: { list: string; value: number; weight: number }[]; before?: string[]; after?: string[] }[];
    };
    const plain = json<Explained>(await run('search', 'gate', '--json')).hits[0];
    expect(plain).toMatchObject({ trace: [] });
    expect(plain).not.toHaveProperty('before');
    const told = json<Explained>(await run('search', 'gate', '--explain', '--neighbours', '1', '--json')).hits[0];
    expect(told?.trace.length).toBeGreaterThan(2);
    expect(told?.before).toBeInstanceOf(Array);
    const { stdout } = await run('search', 'gate', '--explain');
    for (const { list } of told!.trace) expect(stdout).toContain(list);
  });

  it('gives a nonsense query a score near 0', async () => {
    const { hits } = json<{ hits: { score: number }[] }>(await run('search', 'zqxv wvutk plmokn', '--json'));
    for (const { score } of hits) expect(score).toBeLessThan(0.1);
  });

  it('answers with a quote that stands in the file, and its citation can be shown', async () => {
    type Asked = {
      abstained: boolean;
      citations: {
        uri: string;
        quote: string;
        span: { start: number; end: number };
        verified: boolean;
        lines: number[];
        citation: string;
      }[];
    };
    const answer = json<Asked>(await run('ask', 'What does the lamp of the lighthouse burn?', '--json'));
    for (const key of ['question', 'answer', 'abstained', 'citations', 'hits', 'usage', 'costUsd']) {
      expect(answer).toHaveProperty(key);
    }
    const cited = answer.citations.find(({ quote }) => quote.includes('rapeseed oil'));
    expect(cited?.uri).toBe('docs/lighthouse.md');
    for (const { uri, quote } of answer.citations) expect(docs[uri]).toContain(quote);
    expect(cited?.verified).toBe(true);
    expect(cited?.lines[0]).toBe(10); // counted in the file, front matter included
    const shown = json<{ quote: string; source: string }>(await run('show', cited!.citation, '--json'));
    expect(shown).toMatchObject({ quote: cited!.quote, source: 'same' });
  });

  it('refuses what the documents do not know', async () => {
    expect(json(await run('ask', 'Who won the football world cup in 1998?', '--json'))).toMatchObject({
      abstained: true,
      confidence: 'none',
      band: 'refused',
      citations: [],
    });
  });

  it('exports chunks in document and position order, and documents join again', async () => {
    const { stdout } = await run('export');
    const lines = stdout.split('\n').filter((line) => line !== '');
    const chunks = lines.map((line) => JSON.parse(line) as { uri: string; text: string; span: { start: number } });
    expect(chunks.map(({ uri }) => uri)).toEqual(chunks.map(({ uri }) => uri).sort());
    const harbour = chunks.filter(({ uri }) => uri === 'docs/harbour.txt').map(({ text }) => text);
    expect(docs['docs/harbour.txt']).toContain(harbour.join(''));
  });

  it('exports format and metadata when asked, and no other key than the contract else', async () => {
    type Line = { uri: string; format: string; metadata: Record<string, unknown> };
    const linesOf = ({ stdout }: CliResult): Line[] =>
      stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Line);
    const known = 'uri title span text heading page lines timeMs sheet rows part'.split(' ');
    for (const line of linesOf(await run('export'))) expect(known).toEqual(expect.arrayContaining(Object.keys(line)));
    const lighthouse = linesOf(await run('export', '--metadata')).find(({ uri }) => uri === 'docs/lighthouse.md');
    expect(lighthouse).toMatchObject({ format: 'markdown', metadata: { title: 'The lighthouse' } });
  });

  it('takes a budget: the local embedder costs nothing, so 0 is enough', async () => {
    expect(json(await run('ingest', 'docs', '--budget', '0', '--json'))).toMatchObject({ unchanged: 4, costUsd: 0 });
  });

  it('says status, and doctor finds nothing wrong', async () => {
    expect(json(await run('status', '--json'))).toMatchObject({ documents: 4, failed: [] });
    const { findings } = json<{ findings: { ok: boolean }[] }>(await run('doctor', '--json'));
    expect(findings.length).toBeGreaterThan(3);
    expect(findings.every(({ ok }) => ok)).toBe(true);
    const late = join(folder, 'docs/late.md');
    writeFileSync(late, 'Read by no ingest so far.');
    const doctor = await run('doctor');
    rmSync(late);
    expect(doctor).toMatchObject({ status: 0, stderr: 'hint: Run `ibid ingest` over the same folders.\n' });
    expect(doctor.stdout).toContain('\nok   files: 1 new\n');
  });

  it('doctor says which programs for scans and recordings there are', async () => {
    const PATH = tempFolder({ tesseract: '#!/bin/sh\nprintf "List of models (3):\\ndeu\\nosd\\nspa\\n"\n' });
    chmodSync(join(PATH, 'tesseract'), 0o755);
    const { status, stdout } = await runCli(['doctor'], { cwd: folder, env: { ...process.env, PATH } });
    expect(status).toBe(0);
    expect(stdout).toContain('\nok   tesseract: reads deu, spa\n');
    expect(stdout).toContain('\nok   pdftoppm: not found; for scanned pages of PDF files. Install it');
  });

  it('finds the index from a folder below', async () => {
    const { status } = await runCli(['search', 'rapeseed'], { cwd: join(folder, 'docs') });
    expect(status).toBe(0);
  });

  it('reports a broken file, goes on, and ends with status 3', async () => {
    writeFileSync(join(folder, 'docs/broken.docx'), 'this is no zip');
    const { status, stdout, stderr } = await run('ingest', 'docs', '--quiet', '--json');
    expect(status, stderr).toBe(3);
    expect((JSON.parse(stdout) as { failed: unknown[] }).failed).toMatchObject([{ uri: 'docs/broken.docx' }]);
    rmSync(join(folder, 'docs/broken.docx'));
  });

  it('counts apart what is nothing to index, and ends with 0; a run that finds no file says why, and ends with 3', async () => {
    writeFileSync(join(folder, 'docs/disk.7z'), Buffer.from('7z\xbc\xaf\x27\x1c', 'latin1'));
    writeFileSync(join(folder, 'docs/nothing.txt'), '');
    writeFileSync(join(folder, 'docs/bundle.js'), `var a=1;${'b(a);'.repeat(20_000)}`);
    writeFileSync(join(folder, 'docs/yarn.lock'), '# yarn lockfile v1');
    symlinkSync('harbour.txt', join(folder, 'docs/link.txt'));
    const { status, stdout, stderr } = await run('ingest', 'docs');
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/unchanged, 3 skipped in /);
    expect(stderr).toContain(
      'skipped 1 file: minified code (1 .js), 1 file of a kind that is not read (1 .7z), 1 empty file',
    );
    expect(stderr).toContain('left out: 1 symbolic link, 1 machine-made');
    const again = json(await run('ingest', 'docs', '--json', '--quiet'));
    expect(again).toMatchObject({
      failed: [],
      skipped: [{ code: 'FILE_UNSUPPORTED' }, { code: 'FILE_UNSUPPORTED' }, { code: 'FILE_EMPTY' }],
    });
    for (const name of ['disk.7z', 'nothing.txt', 'yarn.lock', 'link.txt']) rmSync(join(folder, 'docs', name));
    mkdirSync(join(folder, 'bare/.hidden'), { recursive: true });
    const none = await run('ingest', 'bare');
    expect(none.status).toBe(3);
    expect(none.stderr).toMatch(/left out: 1 hidden\nno file was found in "bare"/);
    rmSync(join(folder, 'bare'), { recursive: true });
    expect((await run('ingest', 'docs', '--quiet')).status).toBe(0);
  });

  it('stops before removing most of its scope, and does it when told to', async () => {
    for (const name of ['harbour.txt', 'errors.md', 'weather.csv']) rmSync(join(folder, 'docs', name));
    const refused = await run('ingest', 'docs', '--quiet');
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/^error\[DELETE_GUARD\].*\nhint: .*--force/m);
    expect(json(await run('ingest', 'docs', '--quiet', '--force', '--json'))).toMatchObject({
      removed: 3,
      documents: 1,
    });
  });

  it('removes by path', async () => {
    writeFiles(folder, docs);
    json(await run('ingest', 'docs', '--quiet', '--json'));
    expect(json(await run('remove', 'docs/weather.csv', '--json'))).toEqual({ removed: 1, uris: ['docs/weather.csv'] });
    expect(json(await run('status', '--json'))).toMatchObject({ documents: 3 });
  });
});

describe('running headers of a PDF', () => {
  it('are counted by status and show, and are no warning of an ingest', async () => {
    const cwd = tempFolder();
    const pages = ['calm', 'foggy', 'stormy', 'clear', 'windy'].map((weather, i) =>
      [
        at(72, 760, 'Harbour Record'),
        at(72, 500, `The ${weather} morning was spent on the roof of the tower.`),
        at(300, 40, `${i + 1}`),
      ].join('\n'),
    );
    mkdirSync(join(cwd, 'docs'));
    writeFileSync(join(cwd, 'docs/log.pdf'), makePdf({ pages }));
    const ingested = await runCli(['ingest', 'docs', '--quiet'], { cwd });
    expect(ingested.stdout).toContain('1 added');
    expect(ingested.stdout).not.toContain('warning');
    const status = await runCli(['status'], { cwd });
    expect(status.stdout).toContain(
      'running headers, footers, repeated titles of tables, numbers of pages and lines, comments and points of tracks left out: 9 lines of 1 document\n',
    );
    expect(status.stdout).not.toContain('warning');
    expect(json(await runCli(['status', '--json'], { cwd }))).toMatchObject({
      warnings: [{ uri: 'docs/log.pdf', code: 'PDF_RUNNING_LINES', leftOut: 9 }],
    });
    const shown = await runCli(['show', 'docs/log.pdf'], { cwd });
    expect(shown.stdout).toContain(
      '9 lines of the file left out: running headers, footers, repeated titles of tables, numbers of pages and lines\n',
    );
  });
});

describe('the command line, used wrongly', () => {
  it.each([
    [['search'], 'nothing was asked'],
    [['search'], 'echo "…" | ibid search.'],
    [['ask'], 'echo "…" | ibid ask.'],
    [['search', 'x', '--index', 'a', '--index', 'b'], "'--index <address>' was given twice"],
    [['completion', 'tcsh'], 'Allowed choices'],
    [['ask', 'x', '--no-such-flag'], 'unknown option'],
    [['serach', 'x'], 'unknown command'],
    [['search', 'x', '--limit', 'many'], 'whole number'],
    [['search', 'x', '--mode', 'psychic'], 'Allowed choices'],
    [['ingest'], 'no folder was named'],
    [['ingest', 'x', '--budget', 'much'], 'must be a number'],
    [['ingest', 'x', '--budget', '-1'], 'at least 0'],
    [['ingest', 'x', '--budget', 'Infinity'], 'must be a number'],
  ])('%j ends with status 2 and says why', async (args, why) => {
    const { status, stderr } = await runCli(args, { cwd: tempFolder() });
    expect(stderr).toContain(why);
    expect(status).toBe(2);
  });

  it('says what to do when there is no index, a path is missing, or a filter is no SQL', async () => {
    const cwd = tempFolder({ 'docs/a.md': 'Some text about anchors.' });
    const none = await runCli(['search', 'x'], { cwd });
    expect(none.status).toBe(1);
    expect(none.stderr).toMatch(/^error\[INDEX_NOT_FOUND\].*\nhint: /m);
    const empty = await runCli(['ingest', 'docs', '--index', ''], { cwd }); // a variable that is not set
    expect(empty).toMatchObject({ status: 2, stderr: expect.stringContaining('the address of the index is empty') });
    expect(readdirSync(cwd)).toEqual(['docs']);
    const missing = await runCli(['ingest', 'nothing-here', '--quiet'], { cwd });
    expect(missing.stderr).toMatch(
      /^error\[FILE_UNREADABLE\]: "[^"\n]*nothing-here" cannot be opened: ENOENT\nhint: /m,
    );
    expect(readdirSync(cwd)).toEqual(['docs']); // a mistyped path makes no index
    expect((await runCli(['ingest', 'docs', '--quiet'], { cwd })).status).toBe(0);
    const several = await runCli(['ingest', 'nothing-here', 'docs', '--json'], { cwd });
    expect(several.status).toBe(3);
    const away = { uri: 'nothing-here', code: 'FILE_UNREADABLE' };
    expect(JSON.parse(several.stdout)).toMatchObject({ unchanged: 1, failed: [away] });
    const url = await runCli(['search', 'anchors', '--index', pathToFileURL(join(cwd, '.ibid')).href], { cwd });
    expect(url).toMatchObject({ status: 0, stdout: expect.stringContaining('docs/a.md') });
    const filter = await runCli(['search', 'anchors', '--where', 'no_such_column = 1'], { cwd });
    expect(filter.status).toBe(2);
    expect(filter.stderr).toMatch(/^error\[INVALID_FILTER\].*there is no column "no_such_column"$/m);
    expect(filter.stderr).toMatch(/^hint: Columns: uri, title, format, position, text, tokens, metadata\.<name>\./m);
    expect(filter.stderr).not.toMatch(/seq|vector|schema/i);
  });

  it('says that the working folder is gone', async () => {
    const cwd = tempFolder();
    const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" status';
    const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath, cliEntry], { cwd, encoding: 'utf8' });
    expect(stderr).toContain('error[FILE_UNREADABLE]: the working folder is not there any more');
    expect(status).toBe(1);
  });

  it('refuses an empty question, and says when the index has no documents', async () => {
    const cwd = tempFolder({ 'a.md': 'Some text about anchors.' });
    await runCli(['ingest', 'a.md', '--quiet'], { cwd });
    for (const command of ['search', 'ask']) {
      const { status, stdout, stderr } = await runCli([command, ' '], { cwd });
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(/^error\[INVALID_ARGUMENT\]: the (query|question) is empty$/m);
    }
    const elsewhere = await runCli(['search', 'anchors', '--where', "uri = 'b.md'"], { cwd });
    expect(elsewhere).toEqual({ status: 0, stdout: 'nothing found\n', stderr: '' });
    await runCli(['remove', 'a.md'], { cwd });
    const hint = 'hint: the index has no documents; `ibid ingest <folder>` reads a folder.\n';
    expect(await runCli(['search', 'anchors'], { cwd })).toEqual({
      status: 0,
      stdout: 'nothing found\n',
      stderr: hint,
    });
    const asked = await runCli(['ask', 'what holds a ship?'], { cwd });
    expect(asked).toMatchObject({ status: 0, stderr: hint });
    expect(asked.stdout).toMatch(/^The index has no documents\.\n/);
  });

  it.each(['search', 'ask'])('%s --web without a key names the key and ends with status 2', async (command) => {
    const { status, stdout, stderr } = await runCli([command, 'x', '--web'], {
      cwd: tempFolder(),
      env: { ...process.env, IBID_SEARCH_API_KEY: '' },
    });
    expect(stderr).toMatch(/^error\[KEY_MISSING\].*IBID_SEARCH_API_KEY.*\nhint: .*IBID_SEARCH_API_KEY/m);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  it('leaves nothing behind a dry run', async () => {
    const cwd = tempFolder({ 'docs/a.md': 'Some text about anchors.' });
    const { status, stdout } = await runCli(['ingest', 'docs', '--dry-run', '--quiet', '--json'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ documents: 1, added: 1 });
    expect(status).toBe(0);
    expect(readdirSync(cwd)).toEqual(['docs']);
  });

  it('shows help with examples for every command, without loading anything native', async () => {
    const report =
      'data:text/javascript,process.on("exit",()=>console.error(JSON.stringify(process.report.getReport().sharedObjects)))';
    for (const command of [undefined, ...commands]) {
      const args = command === undefined ? ['--help'] : [command, '--help'];
      const { status, stdout, stderr } = await runCli(args, { cwd: tempFolder(), nodeArgs: ['--import', report] });
      expect(status).toBe(0);
      expect(stdout).toContain('Examples:');
      expect(stderr).toContain('libc'); // the report is there, so its silence means something
      expect(stderr).not.toContain('.node');
    }
  });
});

describe('Ctrl-C', () => {
  it('ends an ingest with status 130, leaves a consistent index, and the next run finishes the work', async () => {
    const cwd = tempFolder();
    mkdirSync(join(cwd, 'docs'));
    for (let i = 0; i < 300; i++) {
      const text = `The mooring number ${i} was inspected and found sound by diver ${i % 7}. `.repeat(60);
      writeFileSync(join(cwd, `docs/${i}.md`), `# Mooring ${i}\n\n${text}\n`);
    }
    let sent = false;
    const stopped = await runCli(['ingest', 'docs'], {
      cwd,
      onStderr: (text, kill) => {
        if (sent || !text.includes('300 files to read')) return;
        sent = true;
        kill('SIGINT');
      },
    });
    expect(stopped.status).toBe(130);
    expect(stopped.stderr).toContain('interrupted');
    const held = JSON.parse((await runCli(['status', '--json'], { cwd })).stdout) as { documents?: number };
    expect(stopped.stderr).toContain(`the index has ${held.documents ?? 0} document`);
    const { stdout, status } = await runCli(['ingest', 'docs', '--quiet', '--json'], { cwd });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ documents: 300 });
    expect((await runCli(['doctor'], { cwd })).status).toBe(0);
  });
});
