import { withoutHidden } from '../text/hidden.ts';
import { normaliseText } from '../text/normalise.ts';

/** Commands to a terminal, whole: without their first character they would be read as words. */
const commands =
  /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,8}[@-~]|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c\n]{0,2000}(?:\u0007|\u001b\\|\u009c)/g;

/** A joiner with nothing on one of its sides joins nothing. */
const idle = /(?<=^|\s)[\u200c\u200d]+|[\u200c\u200d]+(?=\s|$)|(?<=[\u200c\u200d])[\u200c\u200d]+/gu;

/** Where a Markdown link or image leads: an address with a scheme or a host, with or without a title. */
const target = String.raw`\(\s*<?(?:[a-z][a-z\d+.-]*:|//)(?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"\n]{0,300}")?\s*\)`;
const image = new RegExp(String.raw`!\[([^\]\n]{0,500})\]${target}`, 'gi');
const link = new RegExp(String.raw`\[([^[\]\n]{0,500})\]${target}`, 'gi');

/**
 * Text of a page as it may be kept, shown and cited: what is seen, and nothing that only a machine would read. Of links
 * and images the label stays: nothing that shows the text can be made to load an address or to offer one under another
 * name.
 */
export function cleanWebText(text: string): string {
  const seen = withoutHidden(normaliseText(text.replace(commands, ''))).replace(idle, '');
  return seen.replace(image, '$1').replace(link, '$1').trim();
}

const LINE_CHARS = 300;

/** The same on one line, for titles. */
export function cleanWebLine(text: string): string {
  const line = cleanWebText(text).replace(/\s+/gu, ' ');
  return line.length <= LINE_CHARS ? line : line.slice(0, LINE_CHARS).toWellFormed();
}
