import { describe, expect, it } from 'vitest';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { asksForKeys } from '../../../../../src/answer/sentences/manuals/key-asked.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { holdsKeys, keysIn } from '../../../../../src/answer/sentences/structure/keys.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

describe('keys in a text', () => {
  it.each([
    ['Press Shift+Ctrl+J or Ctrl + Shift + J.', ['ctrl+j+shift', 'ctrl+j+shift']],
    ['Ctrl Shift + C', ['c+ctrl+shift']],
    ['Home+Shift and Shift+Home', ['home+shift', 'home+shift']],
    ['Ctrl+Page Up, Strg+PageUp', ['ctrl+pageup', 'ctrl+pageup']],
    ['Ctrl++ and Ctrl+-', ['++ctrl', '-+ctrl']],
    ['F7, then Ctrl+F7', ['f7', 'ctrl+f7']],
    ['the F-5, f7, F1.8, F77, pages 3 + Option, Option A, no-control-regex, Alt-text, F4/80', []],
    ['Press Ctrl-C, Ctrl-Shift-F5 or F5.', ['c+ctrl', 'ctrl+f5+shift', 'f5']],
  ])('%s', (text, names) => {
    expect(keysIn(text).map(({ name }) => name)).toEqual(names);
  });

  it.each([
    ['or by pressing the B key', true],
    ['Use the hotkey E on a pad.', true],
    ['M: Move', true],
    ['Ctrl+click uses the other colour.', false],
    ['The key idea is a grid.', false],
    ['None: That is the default.', false],
  ])('%s: %s', (text, holds) => {
    expect(holdsKeys(text)).toBe(holds);
  });
});

it.each([
  ['What is the shortcut for Bucket Fill?', true],
  ["What's the default keyboard shortcut for saving?", true],
  ['Welche Tastenkombination speichert die Datei?', true],
  ['Quel est le raccourci clavier pour enregistrer ?', true],
  ['What is the shortcut menu?', false],
  ['What is the key to the shed?', false],
  ['How do I open the Keyboard Shortcuts dialog?', false],
])('%s asks for keys: %s', (text, asks) => {
  expect(asksForKeys(analyseQuestion(text, statisticsOf([text])))).toBe(asks);
});

const view = chunkOf(
  `F11: Toggle fullscreen

Ctrl + W: Close document window

Shift + Ctrl + J: Fit image in window

1: Zoom 1:1

Ctrl + J: Shrink wrap`,
  { format: 'html', uri: 'keys-view.html', title: 'View' },
);
const fill = chunkOf(
  `The tool fills a selection. If you Ctrl+click and use the Bucket Fill tool, it will use the background.

- You can find the Bucket Fill tool from the menu through: Tools → Paint Tools
- or by pressing the Shift+B keys.`,
  { format: 'html', uri: 'fill.html', title: 'Bucket Fill', headings: ['Bucket Fill', 'Activating the tool'] },
);
const symmetry = chunkOf(
  'none: That is the default option; the symmetry painting is not activated. Symmetry painting works with all brushes.',
  { format: 'html', uri: 'symmetry.html', title: 'Symmetry Painting' },
);
const table = (rows: readonly string[]): string => `Shortcut Keys | Effect\n--- | ---\n${rows.join('\n')}`;
const calc = chunkOf(table(['F9 | Recalculates changed formulas', 'Ctrl+F9 | Updates the selected chart']), {
  uri: 'scalc/keys.md',
  title: 'Keys for Spreadsheets',
});
const writer = chunkOf(table(['F9 | Update fields', 'Ctrl+F9 | Show fields', 'Ctrl+D | Double Underline']), {
  uri: 'swriter/keys.md',
  title: 'Keys for Texts',
});
const board = chunkOf(
  `Action | Default Hotkey | Description
--- | --- | ---
Add Wire | W | Add a wire
Align to Left | | Aligns selected items
Add Junction | J | Add a junction`,
  { uri: 'board.md', title: 'Actions' },
);

function ask(question: string): { confidence: string; first: string } {
  const hits = [view, fill, symmetry, calc, writer, board].map((chunk, i) => hitOf(chunk, 1 - i / 20));
  const statistics = statisticsOf(hits.map(({ chunk }) => `${chunk.title} ${chunk.text}`));
  const { confidence, citations, related } = answerExtractive(question, hits, statistics, {
    refuseBelow: 0,
    answerFrom: 0.3,
  });
  return { confidence, first: [...citations, ...(related ?? [])][0]?.quote ?? '' };
}

describe('which keys, and what keys do', () => {
  it.each([
    ['What does Ctrl+J do?', 'Ctrl + J: Shrink wrap'],
    ['What does F11 do?', 'F11: Toggle fullscreen'],
    ['What does Ctrl+Shift+J do?', 'Shift + Ctrl + J: Fit image in window'],
    ['What does Ctrl+F9 do in Calc?', 'Ctrl+F9 | Updates the selected chart'],
    ['What does Ctrl+F9 do in Writer?', 'Ctrl+F9 | Show fields'],
    ['What is the shortcut for Bucket Fill?', '- or by pressing the Shift+B keys.'],
    ['What is the shortcut for double underline?', 'Ctrl+D | Double Underline'],
    ['What is the hotkey for Add Wire?', 'Add Wire | W | Add a wire'],
    ['What is the shortcut for Add Junction?', 'Add Junction | J | Add a junction'],
  ])('%s %s', (question, quote) => {
    expect(ask(question)).toEqual({ confidence: 'high', first: quote });
  });

  it.each([
    'What does Ctrl+K do?',
    'What does Shift+F9 do?',
    'What is the shortcut for Symmetry Painting?',
    'What is the shortcut for Align to Left?',
  ])('%s is not plain', (question) => {
    expect(ask(question).confidence).not.toBe('high');
  });
});
