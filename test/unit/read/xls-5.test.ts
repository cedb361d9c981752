/** Excel 5 and 95, as programs that export tables still write them. */
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { TextsBeside } from '../../../src/read/office/xls-beside.ts';
import { stringIn } from '../../../src/read/office/xls-strings.ts';
import { outline, parse, refusal } from './helpers.ts';

/** Written by SheetJS 0.18.5 in the form of Excel 5. */
const ports = gunzipSync(
  Buffer.from(
    [
      'H4sIAAAAAAACA+2Wz2tTQRDHP7t5L01ikibRgz9AwjuJHkobrD1YW4tIaRGCuQrPhqYkmDQhPxBvxR9HwT/Ai0ePXr1Y/wBRPHqK0j9AoUfN0zdvn8SeEhUh',
      'mC/MsDNv583uzuzMvnub7T97cfojR3CFCAMvTnRIpwAdCplA9mngeV6o9qaYKHzzPG9gyAJsE88p/R8U3ukIEMbfv/MzQAyIAwngGJAEUkAamA1KwDRXJpxu',
      '8mewsFVYS9SINn6u7VnBeI0mTe78tv8EWvxr03tGtbtshT2tRJUCBbpscHFs/znjP8QoNllz1/4WxvU/jHgsBrZNuf1mxn8EvJZq8ArYBz4Bt1hkplQtFLob',
      'pfxYWENzYC0rC4XmKZosp+T/OeHHhS+Tk5Xcbu9fWzIxOVSr8u2xcEd4Go3ig4znOcFnmfvEJJ19tV3bqp+1zrDEScd151w371Srjus0Go7rdDqOm3f6UrLg',
      'cOiYprrxdcN4RJKKvArtdXensuvL9yIiF3uNVifxM8kykmQpCWPyR2psMyvjrIQ0Q4yvz7+8v1EurriiPy/6C8Lvi2ZPWlKAB6J/GDxIdcKUFWljOmleqBbF',
      'Zrtr6ZQkVQabUrXW6lg6LV0vQ5TSVq1e2fZNlDHZrFXqEZ1GiUmAc6u2jkkWZ1D49sGSo2y65d1KO6KD7Azn91f8+Vrmw0uVwkatc8AOFXb5d2eiDf1yJr1G',
      'K5CVyNfrzbuWTpgD0BTnj26/u2q2UKRHgxYd2YKPSwuLC0wxsfgOClajGwAOAAA=',
    ].join(''),
    'base64',
  ),
);

/** The same file with other bytes of the same number in place of each of these. */
function withBytes(
  file: Buffer,
  changes: readonly (readonly [from: Buffer | string, to: readonly number[] | Buffer])[],
): Buffer {
  const changed = Buffer.from(file);
  for (const [from, to] of changes) Buffer.from(to).copy(changed, changed.indexOf(from));
  return changed;
}

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

test('each sheet is a table with its name above', async () => {
  expect(outline(await parse('ports.xls', ports))).toEqual([
    ['heading', 'H_fen'],
    ['table', 'Port | Ships | Sailed\nKiel | 12 | TRUE\nK_bner | 0.5 | FALSE'],
    ['heading', 'Pumps'],
    ['table', 'Pump | Flow\nP1 | 320'],
  ]);
});

test('texts are of the code page that the file names', async () => {
  const russian = withBytes(ports, [
    [Buffer.from([0x42, 0, 2, 0, 0xe4, 4]), [0x42, 0, 2, 0, 0xe3, 4]], // 1252 → 1251
    ['H_fen', [0xcf, 0xee, 0xf0, 0xf2, 0xfb]],
    ['K_bner', [0xce, 0xe4, 0xe5, 0xf1, 0xf1, 0xe0]],
  ]);
  expect(outline(await parse('ports.xls', russian)).slice(0, 2)).toEqual([
    ['heading', 'Порты'],
    ['table', 'Port | Ships | Sailed\nKiel | 12 | TRUE\nОдесса | 0.5 | FALSE'],
  ]);
});

test('capitals in the name of its stream make no difference, and the name of the file decides nothing', async () => {
  const capitals = withBytes(ports, [[utf16('Book'), utf16('BOOK')]]);
  expect((await parse('ports', capitals)).text).toBe((await parse('ports.xls', ports)).text);
});

test('a comment stands in its own record; its text is of the code page', () => {
  const beside = new TextsBeside(stringIn(850));
  beside.take(0x1c, Buffer.from([2, 0, 1, 0, 4, 0, 0x4b, 0x94, 0x6c, 0x6e]));
  expect(beside.texts([])).toEqual(['B3: Köln']);
});

test('a version before Excel 5 is refused as such', async () => {
  const old = withBytes(ports, [[Buffer.from([9, 8, 8, 0, 0, 5]), [9, 8, 8, 0, 0, 4]]]);
  expect(await refusal('ports.xls', old)).toBe('FILE_UNSUPPORTED');
});
