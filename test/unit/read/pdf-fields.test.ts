import { expect, it } from 'vitest';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { at, context, makePdf } from './formats-make.ts';

/** A form with a label at y 700, 680, … and the field of each beside it. */
async function form(
  labels: readonly string[],
  fields: readonly string[],
  objects: Readonly<Record<number, string>> = {},
) {
  const all: Record<number, string> = { ...objects };
  for (const [i, field] of fields.entries()) {
    const y = 700 - 20 * i;
    all[100 + i] =
      `<< /Type /Annot /Subtype /Widget /F 4 /T (f${i}) /DA (/F1 10 Tf 0 g) /Rect [160 ${y - 2} 360 ${y + 10}] ${field} >>`;
  }
  const kids = fields.map((_, i) => `${100 + i} 0 R`).join(' ');
  const bytes = makePdf({
    pages: [labels.map((label, i) => at(72, 700 - 20 * i, label)).join('\n')],
    catalog: `/AcroForm << /Fields [${kids}] /DR << /Font << /F1 3 0 R >> >> >>`,
    page: `/Annots [${kids}]`,
    objects: all,
  });
  return (await parsePdf(bytes, context('form.pdf'))).text;
}

const drawing = (content: string): string =>
  `<< /Type /XObject /Subtype /Form /BBox [0 0 200 12] /Resources << /Font << /F1 3 0 R >> >> /Length ${content.length} >>\nstream\n${content}\nendstream`;
const button = (state: string): string =>
  `/FT /Btn /V /${state} /AS /${state} /AP << /N << /Yes 120 0 R /Off 120 0 R >> >>`;

it('a choice has the words that it shows, not their codes', async () => {
  const text = await form(
    ['Country', 'Port'],
    [
      '/FT /Ch /Ff 131072 /V (46) /Opt [[(45) (Norway)] [(46) (Sweden)]]',
      '/FT /Ch /Ff 131072 /V (Kiel) /Opt [(Bergen) (Kiel)]',
    ],
  );
  expect(text.replaceAll(' | ', ' ')).toMatch(/Country Sweden\s+Port Kiel/);
});

it('a field without a plain value has the text that is drawn in it', async () => {
  const text = await form(['Remarks'], ['/FT /Tx /AP << /N 120 0 R >>'], {
    120: drawing('/Tx BMC BT /F1 10 Tf 2 3 Td (Moored twice) Tj ET EMC'),
  });
  expect(text.replaceAll(' | ', ' ')).toBe('Remarks Moored twice');
});

it('ticked boxes are told from empty ones, and a form that is not filled in has none', async () => {
  const objects = { 120: drawing('0 0 9 9 re S') };
  const labels = ['Insured', 'On loan'];
  const filled = await form(labels, [button('Yes'), button('Off')], objects);
  expect(filled.replaceAll(' | ', ' ')).toMatch(/Insured ☒\s+On loan ☐/);
  expect(await form(labels, [button('Off'), button('Off')], objects)).not.toContain('☐');
});

it('a value with more lines than its field has room for stays in its field', async () => {
  const text = await form(['Cargo', 'Weight'], ['/FT /Tx /Ff 4096 /V (Rope\\nTar\\nSailcloth)', '/FT /Tx /V (40 t)']);
  expect(text.replaceAll(' | ', ' ')).toMatch(/Cargo Rope Tar Sailcloth\s+Weight 40 t/);
});
