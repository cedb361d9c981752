import { describe, expect, it } from 'vitest';
import { answerExtractive } from '../../../../src/answer/extractive/extractive.ts';
import { plainText } from '../../../../src/answer/extractive/plain-text.ts';
import { chunkOf, hitOf, statisticsOf } from '../hits.ts';

describe('plainText of programs', () => {
  it.each([
    ['yaml', 'exclude: ["**/*.ts", "**/*.js"]'],
    ['yaml', 'run: ps aux | grep node'],
    ['yaml', '- <<: *base'],
    ['json', '"exclude": ["**/*.ts", "**/*.js"]'],
    ['text', 'Powers are written 2**3 and 4**5.'],
    ['text', 'It calls f(**a,**b) once.'],
    ['code', '/* one */ int a; /* two */'],
    ['code', 'transform: (value: core.output<A>) => Promise<Input>;'],
    ['code', 'class Pipe<A extends Type, B> {}'],
  ])('keeps every character of %s: %s', (format, text) => {
    expect(plainText(text, { format })).toBe(text);
  });

  it('leaves no tag that could load, run or lead anywhere', () => {
    const live = 'x<a href=//x.invalid>, <img src=x>, <a/href=x>, <script>, <iframe>, <svg>, </a>, <a\nhref=x>';
    const said = plainText(`s = '${live}'`, { format: 'code' });
    expect(said).not.toContain('<');
    expect(said.match(/‹/g)).toHaveLength(8);
  });

  it('still takes away bold letters', () => {
    expect(plainText('It is **bold**, and half**bold**, and "**quoted**".', { format: 'text' })).toBe(
      'It is bold, and halfbold, and "quoted".',
    );
  });

  it('says what links and elements of documentation say', () => {
    const said = (text: string): string => plainText(text, { format: 'code' });
    expect(said(' * Like {@link #peek() peek}, see {@link Lock | the lock}, {@link #poll} or {@code List<A>}.')).toBe(
      'Like peek, see the lock, poll or List<A>.',
    );
    expect(said('/// <summary>Takes a <see cref="Coin"/> of <c>List<P></c>.</summary>')).toBe(
      'Takes a Coin of List<P>.',
    );
    expect(said('/// <param name="cents">How much.</param>')).toBe('cents: How much.');
  });
});

describe('a comment over a value', () => {
  function answerTo(question: string, text: string, format: string): string {
    const hits = [hitOf(chunkOf(text, { uri: 'server.conf', title: 'server.conf', format }))];
    const statistics = statisticsOf(hits.map(({ chunk }) => chunk.text));
    return answerExtractive(question, hits, statistics, { refuseBelow: 0, answerFrom: 0, sentences: 1 }).answer;
  }

  it('is said with the line below, also where a mark turns that off', () => {
    const text = '# Port to listen on. Default: 8080\nport = 9090\n\n# Minutes that a session lives\n#minutes = 45\n';
    expect(answerTo('Which port does it listen on?', text, 'code')).toBe(
      'Port to listen on. Default: 8080: port = 9090 [1]',
    );
    expect(answerTo('How many minutes does a session live?', text, 'code')).toBe(
      'Minutes that a session lives: #minutes = 45 [1]',
    );
  });

  it('is said alone where it stands over more than a value', () => {
    const text = '# Builds the harbour of the town\nif (port) {\n  build(port);\n}\n';
    expect(answerTo('What builds the harbour of the town?', text, 'code')).toBe('Builds the harbour of the town [1]');
  });
});
