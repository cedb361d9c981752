/** What a page shows beside its own text: what is written into forms, pages in frames, open dialogs. */
import { expect, test } from 'vitest';
import { outline } from './formats-make.ts';
import { parse } from './helpers.ts';

const read = async (body: string): Promise<string[]> =>
  outline(await parse('a.html', `<html><body><main><p>The form of the harbour.</p>${body}</main></body></html>`)).slice(
    1,
  );

test.each([
  ['a line', 'Ship: <input value="Ann &amp; Bob">', 'Ship: Ann & Bob'],
  ['a day', 'Day: <input type="date" value="2019-03-01">', 'Day: 2019-03-01'],
  ['several lines', 'Load: <textarea rows="3">nine tons\nof grain</textarea>.', 'Load: nine tons of grain.'],
  [
    'a choice',
    'Quay: <select><option>North<optgroup label="Old"><option selected>South</option></optgroup><option>West</select>, please',
    'Quay: South , please',
  ],
  ['several choices', '<select multiple><option selected>A<option>B<option selected>C</select>', 'A C'],
  ['no choice', 'Quay: <select><option>North</select>', 'Quay:'],
  [
    'what is not shown as text',
    'Go <input type="hidden" value="t0k"><input type="password" value="p"><input type="submit" value="Send">on',
    'Go on',
  ],
  [
    'nothing of a form that is not shown',
    'On<template><input value="x"><select><option selected>y</select></template>',
    'On',
  ],
])('a form: %s', async (_, html, text) => {
  expect(await read(`<p>${html}</p>`)).toEqual([`paragraph: ${text}`]);
});

test('a page that a frame holds as a text is read where the frame stands', async () => {
  const inner =
    '&lt;html>&lt;body>&lt;h2>Tide&lt;/h2>&lt;p>High at &lt;b>nine&lt;/b>.&lt;/div>&lt;script>go()&lt;/script>';
  expect(await read(`<p>Before.</p><iframe srcdoc="${inner}">no frames</iframe><p>After.</p>`)).toEqual([
    'paragraph: Before.',
    'heading2: Tide',
    'paragraph: High at nine.',
    'paragraph: After.',
  ]);
});

test('an open dialog is read, a closed one is not', async () => {
  expect(await read('<dialog open><p>Closed in May.</p></dialog><dialog><p>Sign in.</p></dialog>')).toEqual([
    'paragraph: Closed in May.',
  ]);
});

test('frames in frames are read to a bound, and as many as there are overflow nothing', async () => {
  const quoted = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const nested = (frames: number): string => {
    let html = '<p>Innermost.</p>';
    for (let i = 0; i < frames; i++) html = `<iframe srcdoc="${quoted(html)}"></iframe>`;
    return `<p>Before.</p>${html}`;
  };
  expect(await read(nested(20))).toEqual(['paragraph: Before.', 'paragraph: Innermost.']);
  expect(await read(nested(1000))).toEqual(['paragraph: Before.']);
});
