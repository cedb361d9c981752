import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openIndex } from '../../../src/index.ts';
import { withoutComments } from '../../../src/read/markup/notes.ts';
import { tempFolder } from '../../support/temp.ts';
import { codes, headings, outline, parse } from './helpers.ts';

const note = `---
aliases: [Kittiwake engine, "Big diesel"]
tags: [engine, boats/kittiwake]
owner: Ada
---
# Engine of [[Kittiwake|the boat]]

It is serviced in May. %%ask Grace whether June is better%% See [[Service log#2024]] and ![[photo.png]].
The seal leaks. ^leak1

%%
Nobody should read this.
Neither this.
%%
Costs rose by 50%% or 60%% #costs #2024

\`\`\`mermaid
%% a comment of the diagram %%
[[no link]] #notag
\`\`\`
`;

describe('notes of Obsidian', () => {
  test('front matter, tags, aliases, links and blocks are text and metadata', async () => {
    const document = await parse('engine.md', note);
    expect(document.metadata).toEqual({
      aliases: 'Kittiwake engine, Big diesel',
      tags: 'engine, boats/kittiwake, costs',
      owner: 'Ada',
      links: 'Kittiwake, Service log#2024, photo.png',
      blocks: 'leak1',
    });
    expect(outline(document)[0]).toEqual([
      'record',
      'aliases: [Kittiwake engine, "Big diesel"]\ntags: [engine, boats/kittiwake]\nowner: Ada',
    ]);
    expect(headings(document)).toEqual([[1, 'Engine of the boat']]);
    expect(document.title).toBe('Engine of the boat');
  });

  test('links stand in fields and in cells of tables too', async () => {
    const linked = '---\nrelated: "[[Winch|the winch]]"\ntags: [a]\n---\n| Part |\n| --- |\n| [[Seal\\|one]] |\n';
    expect((await parse('a.md', linked)).metadata.links).toBe('Seal, Winch');
    expect((await parse('b.md', '---\nup: "[[Quay]]"\n---\nText.\n')).metadata.links).toBe('Quay');
  });

  test('comments are not text, lines keep their numbers, and what is left out is counted', async () => {
    const document = await parse('engine.md', note);
    expect(document.text).not.toMatch(/Grace|Nobody|Neither/);
    expect(document.text).toContain('It is serviced in May.  See [[Service log#2024]]');
    expect(document.text).toContain('50%% or 60%% #costs');
    expect(document.text).toContain('%% a comment of the diagram %%');
    const line = document.firstLine! + document.text.slice(0, document.text.indexOf('Costs')).split('\n').length - 1;
    expect(note.split('\n')[line - 1]).toMatch(/^Costs rose/);
    expect(document.warnings).toEqual([{ code: 'MARKDOWN_COMMENTS', message: expect.any(String), leftOut: 5 }]);
  });

  test.each([
    ['a %%b%% c', 'a  c', 1],
    ['%%b%%', '', 1],
    ['a %% b', 'a %% b', 0],
    ['a %%b\nc\nd%% e', 'a \n\n e', 3],
    ['100%% and 20%%, printf("%%d")', '100%% and 20%%, printf("%%d")', 0],
    ['`%%b%%` a', '`%%b%%` a', 0],
    ['%%a%% %%b%%', ' ', 2],
  ])('%j without comments is %j', (source, text, lines) => {
    expect(withoutComments(source)).toEqual({ text, lines });
  });

  test('Markdown that is no note stays as it was', async () => {
    const page = await parse('a.md', '---\nowner: Ada\n---\n\nA page #1 with `[[code]]` and #hash.\n');
    expect([page.text, page.firstLine, page.metadata]).toEqual([
      'A page #1 with `[[code]]` and #hash.',
      5,
      { owner: 'Ada' },
    ]);
    expect(codes(page)).toEqual([]);
  });

  test('search finds a note by its alias and its tag, and a filter by its links', { timeout: 60_000 }, async () => {
    const folder = tempFolder({
      'engine.md': note,
      'other.md': '# Garden\n\nTulips are planted in autumn.',
      'more.md': '# Weather\n\nWaves are high in winter.',
    });
    await using index = await openIndex(join(folder, '.ibid'), { create: true, base: folder });
    await index.ingest([folder]);
    expect((await index.search('Big diesel')).hits[0]?.chunk.uri).toBe('engine.md');
    const tagged = await index.search('May', { where: { 'metadata.tags': { like: '%boats/kittiwake%' } } });
    expect(tagged.hits.map(({ chunk }) => chunk.uri)).toContain('engine.md');
    const linked = await index.search('serviced', { where: { 'metadata.links': { like: '%Service log%' } } });
    expect(new Set(linked.hits.map(({ chunk }) => chunk.uri))).toEqual(new Set(['engine.md']));
    expect(
      (await index.search('Nobody should read this')).hits.every(({ chunk }) => !chunk.text.includes('Nobody')),
    ).toBe(true);
  });
});
