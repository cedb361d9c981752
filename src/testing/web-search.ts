import { strict as assert } from 'node:assert';
import type { WebQuery, WebSearch } from '../web/contract.ts';
import { type ContractCheck, checks, costsAtMost, endsWhenAborted, type Make } from './check.ts';

/**
 * What a search asks of a `WebSearch`, as checks for any test runner:
 * `for (const { name, run } of webSearchContract(() => mine, 'harbour tower')) it(name, run);`
 * @param query finds at least one page
 */
export function webSearchContract(make: Make<WebSearch>, query: string): ContractCheck[] {
  const asked: WebQuery = { queries: [query], limit: 3 };
  return checks(make, {
    'has an id': async ({ id }) => {
      assert.equal(typeof id, 'string');
      assert.notEqual(id, '');
    },
    'finds pages with address, title and extracts, as many as asked for at most': async (web) => {
      const { lists, failed } = await web.search(asked);
      assert.deepEqual(failed, []);
      assert.equal(lists.length, 1);
      assert.equal(lists[0]!.query, query);
      const { pages } = lists[0]!;
      assert.ok(pages.length >= 1 && pages.length <= asked.limit, `${pages.length} pages`);
      for (const { url, title, extracts, published, updated } of pages) {
        assert.ok(URL.canParse(url), `"${url}" is no address`);
        assert.equal(typeof title, 'string');
        assert.ok(Array.isArray(extracts) && extracts.every((text) => typeof text === 'string'));
        for (const date of [published, updated]) if (date !== undefined) assert.match(date, /^\d{4}-\d{2}-\d{2}$/);
      }
    },
    'gives a list for each query': async (web) => {
      const queries = [query, `${query} history`];
      const { lists, failed } = await web.search({ ...asked, queries });
      const told = [...lists.map((list) => list.query), ...failed.map((one) => one.query)];
      assert.deepEqual(told.sort(), [...queries].sort());
    },
    'costs no more than it says before': async (web) => {
      costsAtMost((await web.search(asked)).costUsd, web.estimateUsd(asked));
    },
    'ends when the caller leaves': async (web) => {
      await endsWhenAborted((options) => web.search(asked, options));
    },
  });
}
