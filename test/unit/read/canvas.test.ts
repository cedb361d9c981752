import { expect, it } from 'vitest';
import { headings, outline, parse } from './helpers.ts';

const at = (x: number, y: number, width = 10, height = 10) => ({ x, y, width, height });
const board = {
  nodes: [
    { id: 'b', type: 'text', text: 'Second card', ...at(0, 200) },
    { id: 'a', type: 'text', text: '# Permits of 2024\nAsk **Ann** about the crane permit.', ...at(0, 100) },
    { id: 'g', type: 'group', label: 'Repairs', ...at(100, 0, 300, 300) },
    { id: 'c', type: 'text', text: '- seals\n- oil', ...at(150, 50) },
    { id: 'f', type: 'file', file: 'Harbour/Pump.md', ...at(150, 90) },
    { id: 'l', type: 'link', url: 'https://example.org', ...at(150, 150) },
    { id: 'e', type: 'text', text: '', ...at(0, 0) },
  ],
  edges: [
    { id: '1', fromNode: 'a', toNode: 'c', label: 'waits for' },
    { id: '2', fromNode: 'a', toNode: 'b' },
  ],
};

it('a board of cards: texts by place, below the labels of groups; arrows, and files as links', async () => {
  const document = await parse('board.canvas', JSON.stringify(board));
  expect(outline(document)).toEqual([
    ['paragraph', 'Permits of 2024 – waits for → - seals'],
    ['heading', '# Permits of 2024'],
    ['paragraph', 'Ask **Ann** about the crane permit.'],
    ['paragraph', 'Second card'],
    ['heading', 'Repairs'],
    ['list', '- seals\n- oil'],
    ['paragraph', 'https://example.org'],
  ]);
  expect(headings(document)).toEqual([
    [1, 'Permits of 2024'],
    [1, 'Repairs'],
  ]);
  expect(document.metadata.links).toBe('Harbour/Pump');
  expect(document.text).not.toMatch(/nodes|"x"/);
});

it.each(['{"a": "Other words"}', '{"nodes": [{"id": "a", "text": "Other words"', 'Other words'])(
  'no board: %s',
  async (source) => {
    expect((await parse('a.canvas', source)).text).toContain('Other words');
  },
);
