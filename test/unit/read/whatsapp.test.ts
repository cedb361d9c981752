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
