import { clean, type Turn } from './turns.ts';

const DIGITS = String.raw`\p{Nd}`;
const DATE = String.raw`${DIGITS}{1,4}[./-]\s?${DIGITS}{1,2}[./-]\s?${DIGITS}{1,4}\.?(?:\sг\.)?`;
const KOREAN_DATE = String.raw`\d{4}년 ?\d{1,2}월 ?\d{1,2}일`;
const HALF_OF_DAY = '오전|오후|上午|下午|凌晨|清晨|早上|中午|晚上|午前|午後|முற்பகல்|பிற்பகல்';
/**
 * Halves of the day behind the time, in Latin letters, Vietnamese, Malay, Turkish, Greek, Arabic, Hindi and Nepali, Marathi,
 * Portuguese and Albanian; Bulgarian hours.
 */
const BEHIND = String.raw`[ap]\.?\s?m\.?|SA|CH|PG|PTG|ÖÖ|ÖS|π\.?μ\.?|μ\.?μ\.?|[صم]|पूर्वाह्न|अपराह्न|म\.(?:पू|उ)\.|da (?:manhã|tarde)|e (?:para|pas)dites|ч\.`;
const TIME = String.raw`(?:(?:${HALF_OF_DAY})\s?)?${DIGITS}{1,2}[:.]${DIGITS}{2}(?:[:.]${DIGITS}{2})?(?:\s?(?:${BEHIND}))?`;
/** Between date and time, in French and Finnish with a word. */
const BETWEEN = String.raw`(?:[,،]|\s(?:à|klo))?\s`;

/**
 * `[05/03/2025, 10:14:33] Name: text` (iOS), `05.03.2025, 10:14 - Name: text` (Android), `2025년 3월 5일 오전 10:14, Name:
 * text` and `2025. 3. 5. 오전 10:14, Name: text`, `[10:14, 05/03/2025] Name: text` (Vietnamese, and what is copied from a
 * browser); other lines go on with the message.
 */
const LINE = new RegExp(
  String.raw`^(?:\[(?<day1>${DATE})${BETWEEN}(?<time1>${TIME})\]|(?<day2>${DATE})${BETWEEN}(?<time2>${TIME}) -|(?<day3>${KOREAN_DATE}|${DATE}(?=\s오))\s(?<time3>${TIME}),|\[?(?<time4>${TIME}), (?<day4>${DATE})(?:\]| -)) (?<rest>.*)$`,
  'iu',
);

/** Logs have none of: a comma or a word between date and time, blanks in the date, halves of the day. */
const BEGINNING = new RegExp(
  String.raw`^\[?(?:${DATE}(?:[,،]|\s(?:à|klo))\s(?:${TIME})|${TIME}, ${DATE}(?:\]| -)|\d{1,4}\.\s\d{1,2}\.\s\d{2,4}\.?,?\s(?:${TIME})|${DATE}\s(?:${HALF_OF_DAY})|${KOREAN_DATE}\s)`,
  'iu',
);

/** Every language has the program's name in that of its exports; on an iPhone it is in that of the archive. */
const EXPORT_NAME = /whatsapp|^_chat\.txt$/i;

/** Whether a plain text begins as an exported chat of WhatsApp. @param name of the file */
export function beginsAsWhatsApp(text: string, name: string): boolean {
  const head = unmarked(text.slice(0, 100));
  return BEGINNING.test(head) || (EXPORT_NAME.test(name) && LINE.test(head.split(/\r?\n/, 1)[0]!));
}

/** Without marks of direction, which stand inside dates of Arabic and Persian too. */
function unmarked(line: string): string {
  return line.replace(/[\ufeff\u200e\u200f]/g, '');
}

/** The messages of an export; undefined for what does not begin with one. */
export function parseWhatsApp(content: string): Turn[] | undefined {
  const turns: { day: string; time: string; who: string; text: string }[] = [];
  let isTimeFirst: boolean | undefined;
  for (const line of content.split(/\r?\n/)) {
    const groups = LINE.exec(unmarked(line))?.groups;
    const last = turns.at(-1);
    if (groups) isTimeFirst ??= groups.day4 !== undefined;
    // Of the other form are lines that were copied into a message.
    if (groups && isTimeFirst === (groups.day4 !== undefined)) {
      const { day1, day2, day3, day4, time1, time2, time3, time4, rest = '' } = groups;
      const { who, text } = speakerOf(rest);
      turns.push({ day: (day1 ?? day2 ?? day3 ?? day4)!, time: (time1 ?? time2 ?? time3 ?? time4)!, who, text });
    } else if (last) {
      last.text = `${last.text}\n${clean(line)}`;
    } else if (line.trim() !== '') return undefined; // an export begins with a message
  }
  const said = turns.map((turn) => ({ ...turn, text: turn.text.trim() })).filter(({ text }) => text !== '');
  return said.length === 0 ? undefined : said;
}

/** What the system says has no speaker; its colon stands in the quoted name of a group: `Bo created group "Trip: May"`. */
function speakerOf(rest: string): { readonly who: string; readonly text: string } {
  const [, who, said] = /^([^:]{1,80}): (.*)$/u.exec(rest) ?? [];
  const quotes = who?.match(/["“”„«»「」]/gu)?.length ?? 0;
  return who === undefined || quotes % 2 === 1
    ? { who: '', text: clean(rest) }
    : { who: clean(who), text: clean(said!) };
}
