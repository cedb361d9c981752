/** What a message of a chat says beside its text: cards, quotes, polls, the names of files. */
import { isRecord } from '../../core/records.ts';
import { firstText, recordsOf } from './turns.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The lines that say something. */
export function linesOf(...lines: readonly (string | undefined)[]): string {
  return lines.filter((line) => line !== undefined && line.trim() !== '').join('\n');
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Files are named as those of a mail. */
function fileLine(...names: readonly unknown[]): string | undefined {
  const name = firstText(...names);
  return name === undefined ? undefined : `Attachment: ${name}`;
}

function factLine(name: unknown, value: unknown): string {
  return [textIn(name), textIn(value)].filter((part) => part !== undefined && part !== '').join(': ');
}

/** Cards of bots, previews, shared messages and files; of blocks what the text of the message does not say. */
export function attachedInSlack({ text, blocks, attachments, files }: Fields): string {
  const cards = recordsOf(attachments).map((card) => {
    const said = linesOf(
      textIn(card.author_name),
      textIn(card.pretext),
      textIn(card.title),
      textIn(card.text),
      ...recordsOf(card.fields).map(({ title, value }) => factLine(title, value)),
      textIn(card.footer),
    );
    return said === '' ? (textIn(card.fallback) ?? '') : said;
  });
  return linesOf(
    firstText(text) === undefined ? textOfBlocks(blocks) : unsaid(blocks, firstText(text)!),
    ...cards,
    ...recordsOf(files).map(({ title, name }) => {
      const isOther = typeof name === 'string' && typeof title === 'string' && title !== '' && !name.startsWith(title);
      return fileLine(isOther ? `${title} (${name})` : undefined, title, name);
    }),
  );
}

/** The lines of blocks of programs that a text lacks: it may be a summary of them. What people write is in both. */
function unsaid(blocks: unknown, text: string): string {
  const plain = (line: string): string => line.replace(/\s+/g, ' ').trim();
  const said = plain(text);
  return textOfBlocks(recordsOf(blocks).filter(({ type }) => type !== 'rich_text'))
    .split('\n')
    .filter((line) => !said.includes(plain(line)))
    .join('\n');
}

const MAX_DEPTH = 20;

/** `text` is a string, or an object with one; `elements`, `fields` and the cells of `rows` hold more. */
function textOfBlocks(blocks: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) return '';
  return linesOf(
    ...recordsOf(blocks).map(({ type, text, title, alt_text: alternative, elements, fields, rows }) => {
      const own = isRecord(text) ? textIn(text.text) : textIn(text);
      if (type === 'image') return linesOf(isRecord(title) ? textIn(title.text) : undefined, textIn(alternative));
      if (type === 'table') return linesOf(...rowsOf(rows).map((row) => rowOf(row, depth + 1)));
      if (type !== 'rich_text_section')
        return linesOf(own, textOfBlocks(elements, depth + 1), textOfBlocks(fields, depth + 1));
      return recordsOf(elements).map(inLine).join('');
    }),
  );
}

function rowsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function rowOf(cells: unknown, depth: number): string {
  return recordsOf(cells)
    .map((cell) => textOfBlocks([cell], depth).replaceAll('\n', ' '))
    .join(' | ');
}

/** People and channels as marks, which are read as those of other texts. */
function inLine({ text, url, user_id: user, channel_id: channel, range, name }: Fields): string {
  if (typeof user === 'string') return `<@${user}>`;
  if (typeof channel === 'string') return `<#${channel}>`;
  if (typeof range === 'string') return `<!${range}>`;
  return firstText(text, url) ?? (typeof name === 'string' ? `:${name}:` : '');
}

export function attachedInDiscord({ embeds, attachments }: Fields): string {
  return linesOf(
    ...recordsOf(embeds).flatMap(({ title, description, fields }) => [
      textIn(title),
      textIn(description),
      ...recordsOf(fields).map(({ name, value }) => factLine(name, value)),
    ]),
    ...recordsOf(attachments).map(({ fileName }) => fileLine(fileName)),
  );
}

/** Their files have names that say nothing. */
const NAMELESS = /^(?:sticker|animation|voice_message|video_message)$/;

/** @param read reads a text, which may consist of parts */
export function attachedInTelegram(message: Fields, read: (text: unknown) => string): string {
  const { poll, todo_list: tasks, contact_information: contact, media_type: kind } = message;
  const { location_information: place } = message;
  const track = linesOf(textIn(message.performer), textIn(message.title)).replace('\n', ' – ');
  const answers = isRecord(poll) ? recordsOf(poll.answers) : [];
  return linesOf(
    isRecord(poll)
      ? linesOf(read(poll.question), ...answers.map((each) => answerLine(read(each.text), each)))
      : undefined,
    isRecord(tasks)
      ? linesOf(read(tasks.title), ...recordsOf(tasks.items ?? tasks.answers).map(({ text }) => `- ${read(text)}`))
      : undefined,
    isRecord(contact)
      ? [contact.first_name, contact.last_name, contact.phone_number].filter((part) => firstText(part)).join(' ')
      : undefined,
    isRecord(place) && typeof place.latitude === 'number' && typeof place.longitude === 'number'
      ? `Location: ${place.latitude}, ${place.longitude}`
      : undefined,
    textIn(message.place_name),
    textIn(message.address),
    NAMELESS.test(String(kind)) ? undefined : fileLine(message.file_name, track),
    firstText(message.file_name) === undefined ? undefined : track,
  );
}

function answerLine(text: string, { voters }: Fields): string {
  return typeof voters === 'number' ? `- ${text} (${voters} ${voters === 1 ? 'vote' : 'votes'})` : `- ${text}`;
}

/** Cards of bots are JSON in a string. A quoted message stands where it was said. */
export function attachedInTeams({ attachments }: Fields): string {
  return linesOf(
    ...recordsOf(attachments).map(({ contentType, content, name }) => {
      if (contentType === 'messageReference') return undefined;
      const card = typeof content === 'string' && /card/i.test(String(contentType)) ? parsed(content) : undefined;
      return card === undefined ? fileLine(name) : textOfCard(card);
    }),
  );
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function textOfCard(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) return '';
  if (Array.isArray(value)) return linesOf(...value.map((part) => textOfCard(part, depth + 1)));
  if (!isRecord(value)) return '';
  const { title, subtitle, text, facts } = value;
  const { body, items, columns, sections, inlines, cells } = value;
  const inner = [body, items, columns, sections].map((part) => textOfCard(part, depth + 1));
  const runs = recordsOf(inlines).map((run) => textOfCard(run, depth + 1));
  const row = recordsOf(cells).map((cell) => textOfCard(cell, depth + 1).replaceAll('\n', ' '));
  const rows = recordsOf(facts).map((fact) => factLine(firstText(fact.title, fact.name), fact.value));
  return linesOf(
    textIn(title),
    textIn(subtitle),
    textIn(text),
    runs.join(''),
    row.join(' | '),
    ...rows,
    ...inner,
    textOfCard(value.rows, depth + 1),
  );
}
