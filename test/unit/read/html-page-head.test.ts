import { expect, test } from 'vitest';
import { outline } from './formats-make.ts';
import { parse } from './helpers.ts';

const RULES = '<p>The first rule is that dogs are welcome on a lead, all year and on Sundays.</p>';
const outlineOf = async (before: string, main = RULES): Promise<string[]> =>
  outline(await parse('a.html', `<html><body>${before}<main>${main}</main></body></html>`));
const rules = 'paragraph: The first rule is that dogs are welcome on a lead, all year and on Sundays.';

test('the title of a page and who wrote it may stand before its content', async () => {
  const site = '<header><a href="/">Harbour</a><nav><a href="x">Home</a></nav></header>';
  const head = '<header><h1>Rules of the quay</h1><p>By Ann Moor, 3 May 2026</p></header>';
  expect(await outlineOf(`${site}${head}`)).toEqual([
    'heading1: Rules of the quay',
    'paragraph: By Ann Moor, 3 May 2026',
    rules,
  ]);
  expect(await outlineOf('<div><h1>Rules of the quay</h1></div><h1>Rules</h1><p>Menu</p>')).toEqual([
    'heading1: Rules',
    rules,
  ]);
});

test('content with a title of its own keeps it, and the name of a site is no title', async () => {
  const head = '<header><h1>Harbour</h1></header>';
  expect(await outlineOf(head, `<h1>Rules</h1>${RULES}`)).toEqual(['heading1: Rules', rules]);
  expect(await outlineOf('<header><h1><a href="/">Harbour</a></h1></header>')).toEqual([rules]);
  expect(await outlineOf('<header role="banner"><h1>Harbour</h1></header>')).toEqual([rules]);
});
