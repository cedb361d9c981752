import { describe, expect, test } from 'vitest';
import { parse } from './helpers.ts';

const read = async (body: string): Promise<string> =>
  (await parse('a.html', `<p>Some words before what is looked at here, so that no part is most of it.</p>${body}`)).text
    .split('\n\n')
    .slice(1)
    .join('\n\n');
const hidden = (text: string, kind = ''): string => `<span hidden="true"${kind && ` class="${kind}"`}>${text}</span>`;
const either = (...parts: string[]): string => `<span class="switchinline">${parts.join('')}</span>`;

describe('alternatives of which a script would show one', () => {
  test('the key of the Mac makes way for the other one, in text, headings and cells', async () => {
    const key = either(hidden('Command\n', 'MAC'), hidden('<span class="keycode">Ctrl</span>'));
    expect(await read(`<p>Press Shift+${key}+F2.</p><h2>${key}+End</h2>`)).toBe('Press Shift+Ctrl+F2.\n\nCtrl+End');
    expect(await read(`<table><tr><td>${key}+Home</td><td>Goes to the first cell</td></tr></table>`)).toBe(
      'Ctrl+Home | Goes to the first cell',
    );
  });

  test('one that has no kind stands before one of a kind, a kind before nothing, and the Mac is left out', async () => {
    const a = either(hidden('Slide', 'IMPRESS'), hidden('Page'));
    const b = either(hidden('Object', 'CALC'), hidden('Text Box', 'WRITER'), hidden('', ''));
    const c = either(hidden('Command', 'MAC'), hidden(''));
    const d = either(hidden('Format', 'WRITER'));
    const e = either(hidden('Apple menu', 'MAC'));
    expect(await read(`<p>1${a}2${b}3${c}4${d}5${e}6</p>`)).toBe('1Page2Object34Format56');
  });

  test('blocks inside of an alternative are read as blocks', async () => {
    const parts = `${hidden('<p>On a Mac.</p>', 'MAC')}${hidden('<p>Choose Tools.</p><p>Then Options.</p>')}`;
    expect(await read(`<div><span class="switch">${parts}</span></div>`)).toBe('Choose Tools.\n\nThen Options.');
  });

  test('what is hidden without being an alternative stays hidden', async () => {
    const toast = `<span class="status">${hidden('Copied.', 'ok')}${hidden('Not copied.')}</span>`;
    const shown = either('<span class="MAC">Cmd</span>', hidden('Ctrl'));
    const around = either('Alt', hidden('Option', 'MAC'), hidden('Ctrl'));
    const block = `<div class="switch"><p hidden>No.</p><p hidden>Neither.</p></div>`;
    expect(await read(`<p>a${toast}b ${shown}+A, ${around}+B</p>${block}`)).toBe('ab Cmd+A, Alt+B');
  });
});

describe('a picture whose alternative text repeats the caption beside it', () => {
  const figure = (title: string, alt: string): string =>
    `<div class="figure"><p class="title"><strong>${title}</strong></p><div class="contents"><div><img src="a.png" alt="${alt}"></div></div></div>`;

  test('is read once', async () => {
    expect(
      await read(`${figure('Figure 14.63. “Bucket Fill” tool options', '“Bucket Fill” tool options')}<p>End</p>`),
    ).toBe('Figure 14.63. “Bucket Fill” tool options\n\nEnd');
  });

  test('says what it shows where the words beside it do not', async () => {
    expect(await read(figure('Figure 2. The tool', 'A red fish over a blue boat'))).toBe(
      'Figure 2. The tool\n\nA red fish over a blue boat',
    );
  });
});
