import { expect, test } from 'vitest';
import { parse } from './helpers.ts';

const page = (body: string): string => `<html><body><main><h1>Pumps</h1>${body}</main></body></html>`;
const textOf = async (body: string): Promise<string> => (await parse('a.html', page(body))).text;

test('labels of a drawing in a page are read where it stands, a line each', async () => {
  const drawing =
    '<div><svg viewBox="0 0 9 9"><title>Plan</title><style>text { fill: red }</style><g><text x=1>Inlet</text><text>Pump&nbsp;A <tspan x=1>40 kW</tspan></text></g><foreignObject><div>Valve<br>open</div></foreignObject></svg></div>';
  expect(await textOf(`<p>Above.</p>${drawing}<p>Below.</p>`)).toBe(
    'Pumps\n\nAbove.\n\nPlan\nInlet\nPump A\n40 kW\nValve\nopen\n\nBelow.',
  );
});

test('a drawing with one label is a part of its sentence or cell', async () => {
  const label = (text: string): string => `<svg><text>${text}</text></svg>`;
  expect(await textOf(`<p>Set it to${label('40 &lt; kW')}at noon.</p>`)).toBe('Pumps\n\nSet it to 40 < kW at noon.');
  expect(await textOf(`<table><tr><th>A</th><th>B</th></tr><tr><td>x</td><td>${label('7')}</td></tr></table>`)).toBe(
    'Pumps\n\nA | B\nx | 7',
  );
});

test('signs on buttons and drawings that are not shown say nothing', async () => {
  const hidden = ['aria-hidden="true"', 'hidden', 'style="display: none"', 'style="x:y;visibility:hidden"'];
  const drawings = hidden.map((how) => `<svg ${how}><text>No</text></svg>`).join('');
  expect(await textOf(`<p>Press <svg><title>Search</title><path d="M0"/></svg> here.</p>${drawings}`)).toBe(
    'Pumps\n\nPress here.',
  );
  expect(await textOf('<p>Shown.</p><div style="display:none"><svg><text>No</text></svg></div>')).toBe(
    'Pumps\n\nShown.',
  );
});
