/**
 * A folder of exported conversations: mail (.eml, .mbox, .msg), subtitles (.srt, .vtt), and chats as Slack, Discord,
 * Telegram, Teams and WhatsApp export them. The reader knows their shapes, so plain `ibid ingest ./exports` reads them
 * too; this pipeline leaves out everything else.
 *
 *     ibid ingest --pipeline pipelines/message-exports.ts ./exports
 *     ibid ask "Who hired the barge?"
 */
// in a copy: from 'ibid'
import { definePipeline, folderSource, type Pipeline } from '../src/index.ts';

const conversations = /\.(eml|mbox|mbx|msg|srt|vtt|json|txt)$/i;
/** What a Slack export holds beside its channels. */
const slackLists = /(^|\/)(users|channels|groups|dms|mpims|integration_logs|canvases)\.json$/;

const pipeline: Pipeline = definePipeline({
  name: 'message-exports',
  description: 'Mail, subtitles, and chats exported by Slack, Discord, Telegram, Teams or WhatsApp',
  source(context) {
    const folder = folderSource(context);
    return {
      ...folder,
      async *items(options) {
        for await (const item of folder.items(options)) {
          if (conversations.test(item.uri) && !slackLists.test(item.uri)) yield item;
        }
      },
    };
  },
});

export default pipeline;
