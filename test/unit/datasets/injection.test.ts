import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeInjection } from '../../../datasets/make-injection.ts';

const datasets = join(import.meta.dirname, '../../../datasets');
const files = makeInjection();
const lines = (name: string): Record<string, string>[] =>
  String(files.find(([path]) => path === `injection/${name}`)![1])
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>); // its fields are what this test checks

describe('the injection corpus', () => {
  it('is what make-injection.ts makes', async () => {
    for (const [path, content] of files)
      expect(Buffer.from(content).equals(await readFile(join(datasets, path))), path).toBe(true);
    expect(await readdir(join(datasets, 'injection/documents'))).toHaveLength(files.length - 2);
  });

  it('says of each document which attack it is, what it wants and how the effect is seen', () => {
    const entries = lines('manifest.jsonl');
    expect(new Set(entries.map(({ mark }) => mark)).size).toBe(28);
    for (const { uri, mark, attack, wants, seen } of entries) {
      expect(
        [attack, wants, seen].every((text) => text!.length >= 5),
        uri,
      ).toBe(true);
      expect(mark).toMatch(/^RK-\d\d$/);
      const [, content] = files.find(([path]) => path === `injection/documents/${uri}`)!;
      if (!/\.(?:docx|xlsx)$/.test(uri!)) expect(Buffer.from(content).includes(mark!), uri).toBe(true);
    }
    expect(lines('questions.jsonl').map(({ uri }) => uri)).toEqual(['vault.md', ...entries.map(({ uri }) => uri)]);
  });

  it('names no address that exists', () => {
    for (const [path, content] of files)
      for (const [, host] of Buffer.from(content)
        .toString('latin1')
        .matchAll(/https?:\/\/([^/\s"'<>?)\\]+)/g))
        expect(host, path).toMatch(/\.invalid$|^169\.254\.169\.254$|^purl\.org$|^schemas\.openxmlformats\.org$/);
  });
});
