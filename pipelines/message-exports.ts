/**
 * A folder of exported conversations: mail (.eml, .mbox), subtitles (.srt, .vtt), and chats as Slack, Telegram and
 * WhatsApp export them. A chat becomes one document with a heading per day; citations name the day, the time and who
 * said it.
 *
 *     ibid ingest --pipeline pipelines/message-exports.ts ./exports
 *     ibid ask "Who hired the barge?"
 */
import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
// in a copy: from 'ibid'
import { definePipeline, folderSource, type Pipeline, type SourceItem } from '../src/index.ts';
import { chatDocument, parseChat, parseSlackUsers } from './chats.ts';

const messages = /\.(eml|mbox|mbx|srt|vtt)$/i;
const chats = /\.(json|txt)$/i;
/** What a Slack export holds beside its channels. */
const slackLists = /(^|\/)(users|channels|groups|dms|mpims|integration_logs|canvases)\.json$/;

const pipeline: Pipeline = definePipeline({
  name: 'message-exports',
  description: 'Mail, subtitles, and chats exported by Slack, Telegram or WhatsApp',
  source(context) {
    const folder = folderSource(context);
    const usersOf = new Map<string, Promise<ReadonlyMap<string, string>>>();
    return {
      covers: folder.covers,
      async *items(options) {
        for await (const item of folder.items(options)) {
          if (messages.test(item.uri)) yield item;
          else if (chats.test(item.uri) && !slackLists.test(item.uri))
            yield asChat(item, resolve(context.base, item.uri), usersOf);
        }
      },
    };
  },
});

export default pipeline;

/** Read as a chat where it is one, else as the reader reads it. */
function asChat(
  item: SourceItem,
  path: string,
  usersOf: Map<string, Promise<ReadonlyMap<string, string>>>,
): SourceItem {
  return {
    ...item,
    async load(options) {
      const content = await readFile(path, { encoding: 'utf8', signal: options?.signal }).catch(() => '');
      const export_ = dirname(dirname(path)); // a Slack export is a folder of channels, each a folder of days
      if (!usersOf.has(export_)) usersOf.set(export_, readUsers(resolve(export_, 'users.json')));
      const chat = parseChat(content, basename(path), basename(dirname(path)), await usersOf.get(export_)!);
      if (chat === undefined) return item.load(options);
      return { contentHash: await item.hash(options), document: chatDocument(item.uri, chat) };
    },
  };
}

async function readUsers(path: string): Promise<ReadonlyMap<string, string>> {
  return parseSlackUsers(await readFile(path, 'utf8').catch(() => '[]'));
}
