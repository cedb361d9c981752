import { describe, expect, test } from 'vitest';
import { isHtmlValue } from '../../../src/read/markup/html-values.ts';
import { outline, parse } from './helpers.ts';

describe('HTML in values', () => {
  test.each([
    ['<p>Open at <b>noon</b>.</p>', true],
    ['Open at <b>noon</b>.', true],
    ['First.<br>Second.', true],
    ['It&#8217;s shut &amp; dark', true],
    ['<div>\n<p>One</p>\n</div>\n', true],
    ['if a < b and b > c', false],
    ['Write <b> for bold', false],
    ['Write `<b>noon</b>` for bold', false],
    ['<item><name>Crane</name></item>', false],
    ['<template><p>{{ a }}</p></template>', false],
    ['See <img src="a.png">\n\n- one\n- two', false],
    ['<details>\n<summary>Log</summary>\n\n```\na\n```\n</details>', false],
    ['R&D; AT&T', false],
    ['a &lt; b\n&amp; c', false],
  ])('%j: %s', (value, expected) => {
    expect(isHtmlValue(value)).toBe(expected);
  });

  test('a cell is what its HTML shows', async () => {
    const { text } = await parse(
      'shop.csv',
      'Handle,Body (HTML),Price\nboat,"<p>A <b>red</b> boat.</p>\n<ul><li>Oak</li><li>4 m</li></ul>",20\nrope,Ten metres &amp; more,3\n',
    );
    expect(text).toBe(
      'Handle | Body (HTML) | Price\nboat | A red boat. - Oak - 4 m | 20\nrope | Ten metres & more | 3',
    );
  });

  test('a value of JSON is what its HTML shows, but for code', async () => {
    const post = {
      title: 'Harbour &amp; fees',
      content: '<p>The fee is <strong>25 &euro;</strong>.</p>\n<ul><li>Cash</li><li>Card</li></ul>',
      code: '<p>Hello</p>',
      image: '<img src="a.png">',
    };
    const shown = [
      'title: Harbour & fees',
      'content: The fee is 25 €.\n- Cash\n- Card',
      'code: <p>Hello</p>',
      'image: <img src="a.png">',
    ].join('\n');
    const one = await parse('post.json', JSON.stringify(post));
    expect([one.title, one.text]).toEqual(['Harbour & fees', shown]);
    expect(outline(await parse('posts.jsonl', `${JSON.stringify(post)}\n${JSON.stringify(post)}\n`))).toEqual([
      ['record', shown],
      ['record', shown],
    ]);
  });
});
