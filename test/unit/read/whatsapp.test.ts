import { describe, expect, it } from 'vitest';
import { parseText } from '../../../src/read/text/text.ts';

describe('WhatsApp without a sign of its own in the first line', () => {
  it.each([
    '12/03/2025 14:05 - Ann: Oi',
    '12-03-2025 14:05 - Ann: Hoi',
    '2025-03-12 14:05 - Ann: Hej',
    '12.03.2025 14.05 - Ann: Hej',
    '[12-03-2025 14:05:33] Ann: Hoi',
  ])('%s is a chat where its file is named as one, else perhaps a log', (line) => {
    const formatOf = (name: string): string => parseText(line, { name, maxTextChars: 1e6 }).format;
    expect(formatOf('Conversa do WhatsApp com Ann.txt')).toBe('whatsapp');
    expect(formatOf('_chat.txt')).toBe('whatsapp');
    expect(formatOf('station.txt')).toBe('text');
    expect(parseText(`Notes about WhatsApp\n${line}`, { name: 'WhatsApp.txt', maxTextChars: 1e6 }).format).toBe('text');
  });
});

describe('WhatsApp in other languages', () => {
  const R = '\u200f';
  it.each([
    ['Arabic, marks inside the date', `[٥${R}/٣${R}/٢٠٢٥، ٣:٠٧:٠١ م] آن: مرحبا`, '٥/٣/٢٠٢٥ ٣:٠٧:٠١ م آن'],
    ['Persian', `${R}۱۴۰۳/۱۲/۱۵،${R} ۱۰:۱۴ - آن: سلام`, '۱۴۰۳/۱۲/۱۵ ۱۰:۱۴ آن'],
    ['Korean with points', '2025. 3. 5. 오후 3:07, 안: 안녕', '2025. 3. 5. 오후 3:07 안'],
    ['Hindi, 12 hours', '5/3/25, 3:07 अपराह्न - आना: ठीक', '5/3/25 3:07 अपराह्न आना'],
    ['Marathi, 12 hours', '5/3/25, 10:14 म.पू. - आना: ठीक', '5/3/25 10:14 म.पू. आना'],
    ['Tamil, 12 hours', '5/3/25, பிற்பகல் 3:07 - போ: சரி', '5/3/25 பிற்பகல் 3:07 போ'],
    ['Portuguese, 12 hours', '05/03/25, 3:07 da tarde - Ana: sim', '05/03/25 3:07 da tarde Ana'],
    ['Spanish, 12 hours', '5/3/25, 3:07\u202fp.\u00a0m. - Ana: hola', '5/3/25 3:07 p. m. Ana'],
    ['Vietnamese', '10:14, 05/03/2025 - An: chào', '05/03/2025 10:14 An'],
    ['copied from a browser', '[10:14 AM, 3/5/2025] Ann: hello', '3/5/2025 10:14 AM Ann'],
  ])('%s', (_, line, place) => {
    const { format, locators } = parseText(`${line}\n${line}`, { name: 'a.txt', maxTextChars: 1e6 });
    expect(format).toBe('whatsapp');
    expect(locators.map(({ part }) => part?.replace(/\s/g, ' '))).toContain(place);
  });

  it('a message that was copied into another one stays in it', () => {
    const { text } = parseText('05/03/2025, 10:14 - Ann: He wrote\n[10:14, 04/03/2025] Bo: No.', {
      name: 'a.txt',
      maxTextChars: 1e6,
    });
    expect(text).toBe('05/03/2025\n\nAnn: He wrote\n[10:14, 04/03/2025] Bo: No.');
  });
});
