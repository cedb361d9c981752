/**
 * A folder of documents, each with the folder it lies in and the year its path names as metadata.
 *
 *     ibid ingest --pipeline pipelines/document-folder.ts ./documents
 *     ibid search "restart" --where "metadata.folder = 'procedures'"
 *
 * Plain `ibid ingest ./documents` needs no pipeline; copy this one to leave files out or to say more about them.
 * After an edit rebuild the index: files that have not changed are not read again.
 */
// in a copy: from 'ibid'
import { definePipeline, folderSource, type Metadata, type Pipeline, type SourceItem } from '../src/index.ts';

/** Files whose path matches are left out. */
const leaveOut = /(^|\/)(~\$|thumbs\.db$)/i;

const pipeline: Pipeline = definePipeline({
  name: 'document-folder',
  description: 'Files of folders, with folder and year as metadata',
  source(context) {
    const folder = folderSource(context);
    return {
      ...folder,
      async *items(options) {
        for await (const item of folder.items(options)) if (!leaveOut.test(item.uri)) yield describe(item);
      },
    };
  },
});

export default pipeline;

function describe(item: SourceItem): SourceItem {
  return {
    ...item,
    async load(options) {
      const loaded = await item.load(options);
      const metadata = { ...loaded.document.metadata, ...metadataOf(item.uri) };
      return { ...loaded, document: { ...loaded.document, metadata } };
    },
  };
}

function metadataOf(uri: string): Metadata {
  const folder = uri.split('/').at(-2);
  const year = /(?<!\d)(?:19|20)\d\d(?!\d)/.exec(uri)?.[0];
  return { ...(folder !== undefined && { folder }), ...(year !== undefined && { year: Number(year) }) };
}
