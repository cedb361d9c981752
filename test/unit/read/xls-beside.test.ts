import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { TextsBeside } from '../../../src/read/office/xls-beside.ts';
import { outline, parse } from './helpers.ts';

test('boxes, comments and areas of several rows of Excel 97, written by LibreOffice 7.4', async () => {
  const document = await parse('ports.xls', gunzipSync(Buffer.from(ports.join(''), 'base64')));
  expect(outline(document)).toEqual([
    ['table', 'Port | Ships\nKiel | 12\nKiel | 13'],
    ['paragraph', 'Box beside\nthe table'],
    ['paragraph', 'B2 (Port: Kiel, Ships: 12): Counted by hand \u2013 \u6570'],
  ]);
  expect(document.locators.at(-1)).toMatchObject({ sheet: 'Ports' });
});

test('a text goes on in the next record, there perhaps in wide characters; a cut record is no error', () => {
  const head = (id: number, length: number): [number, Buffer][] => {
    const object = Buffer.alloc(22);
    object.writeUInt16LE(id, 6);
    const text = Buffer.alloc(18);
    text.writeUInt16LE(length, 10);
    return [
      [0x5d, object],
      [0x1b6, text],
    ];
  };
  const beside = new TextsBeside();
  const records: [number, Buffer][] = [
    ...head(7, 9),
    [0x3c, Buffer.from('\0Pump')],
    [0x3c, Buffer.concat([Buffer.from([1]), Buffer.from(' K\u00f6ln', 'utf16le')])],
    [0x3c, Buffer.from('\x10runs of fonts')],
    ...head(8, 1),
    [0x3c, Buffer.from('\0x')],
    [0x1c, Buffer.from([2, 0, 27, 0, 0, 0, 8, 0])],
    [0x1c, Buffer.from([2])],
  ];
  for (const [type, data] of records) beside.take(type, data);
  expect(beside.texts([])).toEqual(['Pump K\u00f6ln', 'AB3: x']);
});

test('headers and footers of printed pages are read without their codes, and numbers of pages are not', () => {
  const running = (text: string): Buffer =>
    Buffer.concat([Buffer.from([text.length, 0, 0]), Buffer.from(text, 'latin1')]);
  const beside = new TextsBeside();
  beside.take(0x14, running('&L&"Arial"Quay Ltd&RRates of 3 May'));
  beside.take(0x15, running('&CPage &P of &N'));
  beside.take(0x15, Buffer.alloc(0));
  expect(beside.texts([])).toEqual(['Quay Ltd\nRates of 3 May']);
  const old = new TextsBeside((data, at) => data.toString('latin1', at + 1, at + 1 + data[at]!));
  old.take(0x15, Buffer.from('\x0c&LQuay Ltd 5'));
  expect(old.texts([])).toEqual(['Quay Ltd 5']);
});

const ports: readonly string[] = [
  'H4sIAAAAAAACA+1YXWxUVRCec/eHu9tte/unWBCvVZafbpG/SI1gS1s0RAkNRSSCkW17ly5dunW7NZggbluIL5JoeDAxJATTB4xGNCYYIwmLTyRq',
  'IBgUfQITH4g8LEZjIND1O3PPdpe1S3YLMVE7mzk/c8/PnJk5M2f23NmqS0c/rb9MefAkOWgi7SF3Dk0APZmOQaQp2kQ6nc6Q0zPwr4JbqpY6dEJ/',
  'LqDU+SygrnTrVfUM/PdgE0Xxi5NJ62gAdYxeo1LgPlhM7nrFzJkoclyxMLP/9PeX/lv6cQdwqvsv/b28/2VAH7AcWAGstEMAVQGrgTXAWmAd2wTR',
  '/cDZwAeA9cA5wLnAB4HzgA8BTeDDwAbgI8BHgfOBfuACxeciVUsMoN2k+o/N+KR7Ah4dWnS76Mvyb6TKWfeXYRGfOE+zXfwM3E6D0jbag5Ee85+C',
  'NuYhKCQPSRjpGrQEHQa1go4z9SSXa9j6AK1kNiuL3qq1Mu8HuWzgsoLk/M95zk9MWQY7OyNvzxtvq0tQJjrIol0UpC00DOvsQmuAhjCyPnekvCVi',
  'LTxlGN8jd/l1IaWyX4G+v/Fg8egQ85sqit95Th+Nyxv8jDVgxYKRS3wzx+mPtJnjBZKmpMulmP57cXStRDr97+jjkN1Ucm60x6fy6YsK0AMF6IsL',
  '0D1T0if50bP0Qxpuc4LSsjYSDq6rEm6uqxNOrmsSs7iuTbjSO/juHYDvv+FkC6bOaCw+9BacgsDvtNCBRJsPCvqVXpShIbWJt3KnZAiQu2VCjLJy',
  'bq+gspS8vKfAm04jAqFGT4pWlK0075phBxsdQUdHMNH/RLy5idDhyAYryQXiVVdfeHAI3WfDViSNYKXTF047WPXodcCsKupUrcmIZns+4zbP5wOj',
  'vTiAPG8VM21guZsfXDu/obuz5WWmJ7KipPkaC0SM4Mtp52Ke0cjlKI+tBcOIfP52f0OHtSu4ZdjssmLhUKAtGu1v8C9b7l9bh8hn3mFEZ3CnZfo7',
  'x3jR/Vz6wcAKhistC3LaC9Eea7o42nQx1bIop30ULtCDYwn+jVJABERmTqYW9DzW1ul1lhuJOm+lElUFVw67Ix8FmpFp2w5NVDJNTEHT8mi3+Clh',
  'Px5I9QR6QvUE60jO2qd5mdtKWi7HaG6m1jFdY/rj6P9C9iiN17tKBvbQUjJcQG0pXfEtdVRJjtQxIWtnaiHv6kkZUzyNNPLyPGleLrLHJ1G/77Pp',
  'wmm/h7pEWWofyVsk4QBz8Cbzb1vzVj5zgssRkU4naQztFjolDPCWFCutcb4zgr4SX7+3jc4JOfQ8l99x+T2Hqh+4TIvZeExxk1o0B051yqGx9Ay+',
  'QRp+hrD1tELTqEM+zNgRvEQrIbVqPMNE3knL8Uzr3/fq4JJX2veevDGw7cxx36bs16ts5OW8xglRnQmy/NCz5bYaTzTRjtxhmPMGCwZmUjeyB5P6',
  'OA7Jfo1p0qC1moyc6ZkNjrFwj+UIV1PCrYFwQ1JwPHKUyzEu9ytxE4ubWNxO/EZE7MhZiPjgjqUFRXy7QKWSWjTbpG0hSrEGILxVUPwshxt+MyvE',
  'ehaiNMKqHfkmU1hUtZOiguNpi+4xu62hcK/ljfdZZjzYHVGCcanBNszl+2D7SVjv2oEBekqrphNu+5EjV+vlgQ9Ko84+4iXshKfcqedas8jkBN4C',
  'uYDAK9rhtXMIQ7cvUtL+9LR8s28I98SiQ9FQ3Fy3p8eKmE+satoc7LYiEYsdZls4FGq+m9xFkLq904SJNE06gLx16dKBI79d39hnfPiOTo0LPvtx',
  'KWh7laeX35tVftOq5POcynO2qlynV+U7g8r1Xbll5y6yvVTNy0Ax7VL4Z9d54dsLh5fMMQ69C/4D1z+W19qVR9uu8qxMYDVyeC1Ez4V7mf/zPnk2',
  'NNUctlqf3X4Bu8eoH55D8tFfsv6r2fnZuWu6hLz6qidjJ9KH7YaON4KHXdPa35GTgxczRwag9ZN2uhF5gDVt+5fhsNT8f3GOu3EhaxjG+XfDZ0vd',
  'r4cVhFgnkhJH5hEF5U5nsfd3lSD/RuBHk/t3YIce5sFiCyyNn+ZpnH8JMD7z/w/DX8FVDQ4AGAAA',
];
