import { expect, test } from 'vitest';
import { makeZip } from './formats-make.ts';
import { parse } from './helpers.ts';

const names = ['office', 'text', 'draw', 'style', 'presentation']
  .map((prefix) => `xmlns:${prefix}="${prefix}"`)
  .join(' ');
const numbered = (level: number, format: string, start = 1): string =>
  `<text:list-level-style-number text:level="${level}" style:num-format="${format}" style:num-suffix="." text:start-value="${start}"/>`;
const bullet = (level: number): string => `<text:list-level-style-bullet text:level="${level}" text:bullet-char="●"/>`;
const styles: Readonly<Record<string, string>> = {
  L1: numbered(1, '1') + bullet(2),
  L2: numbered(1, '1') + numbered(2, 'a'),
  L3: numbered(1, '1', 4),
  L4: bullet(1) + bullet(2),
  L5: numbered(1, ''),
};
const item = (inner: string): string => `<text:list-item>${inner}</text:list-item>`;
const p = (text: string): string => `<text:p>${text}</text:p>`;
const list = (style: string, ...items: readonly string[]): string =>
  `<text:list text:style-name="${style}">${items.map(item).join('')}</text:list>`;
const inner = (...items: readonly string[]): string => `<text:list>${items.map(item).join('')}</text:list>`;
const box = (...parts: readonly string[]): string =>
  `<draw:frame presentation:class="outline"><draw:text-box>${parts.join('')}</draw:text-box></draw:frame>`;

async function linesOf(...parts: readonly string[]): Promise<string[]> {
  const listStyles = Object.entries(styles).map(
    ([name, levels]) => `<text:list-style style:name="${name}">${levels}</text:list-style>`,
  );
  const { text } = await parse(
    'a.odp',
    makeZip({
      mimetype: 'application/vnd.oasis.opendocument.presentation',
      'content.xml': `<office:document-content ${names}><office:automatic-styles>${listStyles.join('')}</office:automatic-styles><office:body><office:presentation><draw:page>${parts.join('')}</draw:page></office:presentation></office:body></office:document-content>`,
    }),
  );
  return text.split(/\n+/);
}

test('paragraphs are counted on through the lists of a box, as LibreOffice shows them', async () => {
  const lines = await linesOf(
    box(
      list('L1', p('Pear'), p('Plum')),
      list('L2', inner(p('Fig'), p('Date')), p('Kiwi')),
      list('L3', p('Lime'), p('Lemon')),
      list('L4', p('Oak') + inner(p('Acorn'))),
      list('L5', p('Plain') + p('and more')),
    ),
    box(list('L1', p('Anew'), p('Again'))),
  );
  expect(lines).toEqual([
    '1. Pear',
    '2. Plum',
    '  a. Fig',
    '  b. Date',
    '3. Kiwi',
    '4. Lime',
    '5. Lemon',
    '- Oak',
    '  - Acorn',
    'Plain',
    'and more',
    '1. Anew',
    '2. Again',
  ]);
});
