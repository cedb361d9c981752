import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, serve, TokenStore } from '../../src/serve.ts';
import { makeTempFolder, tempFolder } from '../support/temp.ts';
import { documents } from './documents.ts';
import { chromiumPath, forAll, opened } from './support.ts';

const question = 'How long does a full tank of the lamp last?';
const asked = `?q=${encodeURIComponent(question)}`;

describe.skipIf(chromiumPath === undefined)('the page where something fails (needs a Chromium in /usr/bin)', () => {
  const its = forAll(documents);

  /** Nothing that is asked of a path arrives, until it is let through again. */
  const cut = async (page: Page, path: string): Promise<() => Promise<void>> => {
    await page.route(`**${path}`, (route) => route.abort());
    return () => page.unroute(`**${path}`);
  };

  it('the status can be closed while it is awaited, and when it cannot be had', async () => {
    const { page } = await opened(its.browser, its.server.url);
    await page.getByText('7 documents').waitFor();
    const mend = await cut(page, '/api/status');
    await page.getByRole('button', { name: 'Status' }).click();
    await page.getByText('The server cannot be reached.').waitFor();
    expect(await page.getByRole('dialog', { name: 'Status' }).isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await page.locator('#status').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Status' }).click();
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await mend();
    await again.click();
    await page.getByText('1 file could not be read').waitFor();
  });

  it('filters that could not be had are had when that is tried again', async () => {
    const { page } = await opened(its.browser, `${its.server.url}/${asked}`);
    await page.locator('.answer.done').waitFor();
    const mend = await cut(page, '/api/facets');
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByText('The server cannot be reached.').waitFor();
    await mend();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('markdown').waitFor();
  });

  it('why a hit was found is told when it is asked for again', async () => {
    const { page } = await opened(its.browser, `${its.server.url}/${asked}&view=search`);
    const hit = page.locator('.hit').first();
    await hit.waitFor();
    const mend = await cut(page, '/api/search');
    const why = hit.getByRole('button', { name: 'Why this hit' });
    await why.click();
    await hit.getByText('The server cannot be reached.').waitFor();
    await mend();
    await why.click();
    await hit.locator('.why').waitFor();
    expect(await hit.getByText('The server cannot be reached.').count()).toBe(0);
  });

  it('an answer that breaks off in the middle of its JSON says so', async () => {
    const { page, complaints } = await opened(its.browser, its.server.url);
    await page.route('**/api/search', (route) =>
      route.fulfill({ contentType: 'application/json', body: '{"query": "x", "hits": [' }),
    );
    await page.goto(`${its.server.url}/${asked}&view=search`);
    await page.locator('#results .warning').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('an answer to which a part of the index is missing says so', async () => {
    const { page } = await opened(its.browser, 'about:blank');
    const message = 'A shard did not answer in time; the others did.';
    await page.route('**/api/ask', async (route) => {
      const body = await (await route.fetch()).text();
      const warnings = JSON.stringify([{ code: 'TIMEOUT', message }]);
      const warned = body.replace(/(event: done\ndata: \{)/, `$1"warnings":${warnings},`);
      await route.fulfill({ contentType: 'text/event-stream', body: warned });
    });
    await page.goto(`${its.server.url}/${asked}`);
    await page.locator('.answer.done').waitFor();
    expect(await page.locator('.answer .warning').allTextContents()).toEqual([message]);
  });

  it('works where a browser keeps nothing', async () => {
    const { page, complaints } = await opened(its.browser, 'about:blank');
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException('Access is denied for this document.', 'SecurityError');
          },
        });
    });
    await page.goto(`${its.server.url}/${asked}`);
    await page.locator('.answer.done').waitFor();
    const tokens = new TokenStore(`${tempFolder()}/tokens.json`);
    const { secret } = tokens.create({ name: 'reader', scopes: ['read', 'ask'] });
    await using locked = await serve({ port: 0, indexes: its.index, tokens });
    await page.goto(`${locked.url}/${asked}`);
    await page.getByRole('textbox', { name: 'Token' }).fill(secret);
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.locator('.answer.done').waitFor();
    expect(complaints.filter((one) => !one.includes('401'))).toEqual([]);
  });

  describe('with a token', () => {
    let locked: RunningServer;
    let secret: string;
    const folder = makeTempFolder();
    beforeAll(async () => {
      const tokens = new TokenStore(join(folder, 'tokens.json'));
      secret = tokens.create({ name: 'reader', scopes: ['read', 'ask'] }).secret;
      locked = await serve({ port: 0, indexes: its.index, tokens });
    });
    afterAll(() => locked?.stop(0));

    const use = async (page: Page, token: string): Promise<void> => {
      await page.getByRole('textbox', { name: 'Token' }).fill(token);
      await page.getByRole('button', { name: 'Use it' }).click();
    };

    it('says when the one that was given is not accepted', async () => {
      const { page } = await opened(its.browser, `${locked.url}/${asked}`);
      await page.getByRole('dialog').waitFor();
      expect(await page.getByText('not accepted').count()).toBe(0);
      await use(page, 'ibid_wrong');
      await page.getByRole('dialog').getByText('not accepted').waitFor();
      await use(page, secret);
      await page.locator('.answer.done').waitFor();
    });

    it('that no header can carry is asked for again', async () => {
      const { page } = await opened(its.browser, `${locked.url}/${asked}`);
      await use(page, 'ibid_“copied”…');
      await page.getByRole('dialog').getByText('not accepted').waitFor();
      await use(page, secret);
      await page.locator('.answer.done').waitFor();
    });

    it('that is not given leaves nothing that seems to go on', async () => {
      const { page } = await opened(its.browser, `${locked.url}/${asked}`);
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      expect(await page.locator('.waiting').count()).toBe(0);
      await page.getByRole('button', { name: 'Try again' }).click();
      await use(page, secret);
      await page.locator('.answer.done').waitFor();
    });
  });
});
