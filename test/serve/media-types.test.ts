import { expect, test } from 'vitest';
import { formats } from '../../src/read/names.ts';
import { mediaTypeOf } from '../../src/serve/media-types.ts';

test('each kind of recording and picture that is read is sent as one', () => {
  for (const ending of formats.image) expect(mediaTypeOf(`photo.${ending}`), ending).toMatch(/^image\//);
  for (const ending of formats.recording) expect(mediaTypeOf(`talk.${ending}`), ending).toMatch(/^(?:audio|video)\//);
});

test('documents that are no text are not shown as text, whatever their kind is called', () => {
  const packages =
    'docx docm dotx doc dot pptx pptm ppsx ppt pps pot xlsx xlsm xltx xls xlt odt ott ods ots odp otp epub zip gz tgz tar sqlite db db3 parquet arrow feather msg heic rtf';
  for (const ending of packages.split(' '))
    expect([ending, mediaTypeOf(`a.${ending}`)]).toEqual([ending, 'application/octet-stream']);
  for (const name of ['a.fods', 'a.FODT', 'a.txt', 'a.svg', 'a.html', 'README', 'a.constructor'])
    expect([name, mediaTypeOf(name)]).toEqual([name, 'text/plain; charset=utf-8']);
  expect(mediaTypeOf('A.PDF')).toBe('application/pdf');
});
