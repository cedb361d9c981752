import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadedBy } from '../../support/loaded.ts';
import { serve } from '../service/harness.ts';
import { messagesService } from '../service/messages/messages-service.ts';
import { askForPump } from './example.ts';

const root = join(import.meta.dirname, '../../..');
const sources = (path: string): string => pathToFileURL(join(root, 'src', path)).href;

describe('the door ibid/wire', () => {
  it('loads its own packages and the core, and nothing of the index', () => {
    const { packages, files } = loadedBy(sources('wire/index.ts'), root);
    expect(
      packages.filter((name) => !['undici', 'eventsource-parser', 'valibot', '@opentelemetry/api'].includes(name)),
    ).toEqual([]);
    expect(packages).toContain('undici');
    expect(files.filter((file) => !/^(wire|core)\//.test(file))).toEqual([]);
    expect(files.filter((file) => file.startsWith('wire/')).length).toBeGreaterThan(90);
  });

  it('is told from the whole by this test', () => {
    // The control: the same look at the other door does find the database.
    expect(loadedBy(sources('index.ts'), root).packages).toContain('@lancedb/lancedb');
  });

  it("is used as the README's example shows", async () => {
    await using server = await serve([messagesService()]);
    const environment = { IBID_MESSAGES_API_KEY: 'test-key', IBID_MESSAGES_BASE_URL: server.url };
    const said = await askForPump(environment);
    expect(said.length).toBeGreaterThan(1);
    expect(Number(said.at(-1))).toBeGreaterThan(0);
    const refused = await askForPump({ ...environment, IBID_MESSAGES_API_KEY: 'sk-other' });
    expect(refused).toEqual([expect.stringMatching(/^KEY_REJECTED Check that the key .* req_\w+ 1 false$/)]);
  });
});
