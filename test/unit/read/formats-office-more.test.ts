import { describe, expect, it } from 'vitest';
import type { ParsedDocument } from '../../../src/read/contract.ts';
import { parseXlsx } from '../../../src/read/office/xlsx.ts';
import { context, makeZip, offsetFaults, relationships } from './formats-make.ts';

describe('a workbook of Excel', () => {
  const X = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="r"';

  /** @param sheet rows of the first sheet @param parts more parts of the package */
  async function workbook(sheet: string, formats: readonly string[] = [], parts = {}): Promise<ParsedDocument> {
    const codes = formats.map((code, i) => `<numFmt numFmtId="${164 + i}" formatCode="${code}"/>`).join('');
    const styles = formats.map((_, i) => `<xf numFmtId="${164 + i}"/>`).join('');
    const document = await parseXlsx(
      makeZip({
        '_rels/.rels': relationships({ r1: ['officeDocument', 'xl/workbook.xml'] }),
        'xl/workbook.xml': `<workbook ${X}><sheets><sheet name="Hours" r:id="s1"/><sheet name="Graph" r:id="s2"/></sheets></workbook>`,
        'xl/_rels/workbook.xml.rels': relationships({
          s1: ['worksheet', 'worksheets/sheet1.xml'],
          s2: ['chartsheet', 'chartsheets/sheet1.xml'],
          fm: ['styles', 'styles.xml'],
          st: ['sharedStrings', 'sharedStrings.xml'],
        }),
        'xl/styles.xml': `<styleSheet ${X}><numFmts>${codes}</numFmts><cellXfs><xf numFmtId="0"/>${styles}<xf numFmtId="46"/></cellXfs></styleSheet>`,
        'xl/worksheets/sheet1.xml': `<worksheet ${X}><sheetData>${sheet}</sheetData></worksheet>`,
        ...parts,
      }),
      context('a.xlsx'),
    );
    expect(offsetFaults(document)).toEqual([]);
    return document;
  }

  it('shows a sum of hours as hours, however many days they make', async () => {
    const cells = [1.604166667, 2.75, 0.375, 40.50001157].map((days, i) => `<c s="${1 + (i % 2)}"><v>${days}</v></c>`);
    const { text } = await workbook(`<row r="1">${cells.join('')}<c s="3"><v>1.5</v></c></row>`, [
      '[h]:mm',
      '[hh]:mm:ss',
    ]);
    expect(text).toContain('38:30 | 66:00 | 09:00 | 972:00:01 | 36:00');
  });
});
