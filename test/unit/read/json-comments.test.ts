/** Files of settings explain themselves in comments, which JSON does not have. */
import { expect, test } from 'vitest';
import { outline } from './formats-make.ts';
import { parse } from './helpers.ts';

test('comments stand before what they explain', async () => {
  const source = `// Settings of the crane.
{
  /** Tons,
   *  not pounds. */
  "limit": 9, // at most
  "url": "http://x/*y*/", /**/
  // Who may lift.
  "people": {
    // the master
    "Ann": true, /* in May */
  }
}
// End`;
  const document = await parse('a.jsonc', source);
  expect(outline(document)).toEqual([
    'record: Settings of the crane.\nTons, not pounds.\nlimit: 9\nat most\nurl: http://x/*y*/\nWho may lift.',
    'record: people\nthe master\nAnn: true\nin May',
    'record: End',
  ]);
  expect(document.locators.map(({ lines }) => lines)).toEqual([
    [1, 7],
    [8, 11],
    [13, 13],
  ]);
});
