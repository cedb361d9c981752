/**
 * A collection in BEIR layout (corpus.jsonl, queries.jsonl, qrels/test.tsv): every corpus entry is one retrieval unit.
 *
 *     npm run dataset -- scifact
 *     ibid ingest --pipeline pipelines/beir-collection.ts datasets/cache/scifact
 *     ibid search "0-dimensional biomaterials"
 *
 * To measure a collection, `ibid eval FOLDER` does all of this in a temporary index and prints the scores.
 */
// in a copy: from 'ibid/eval' and 'ibid'
import { beirSource, readBeirFolder } from '../src/eval.ts';
import { definePipeline, IbidError, type Pipeline } from '../src/index.ts';

const pipeline: Pipeline = definePipeline({
  name: 'beir-collection',
  description: 'The corpus of one folder in BEIR layout',
  async source({ paths }) {
    const [folder, ...more] = paths;
    if (folder === undefined || more.length > 0) {
      throw new IbidError('INVALID_ARGUMENT', `one BEIR folder at a time, ${paths.length} were given`, {
        hint: 'Two collections may use the same ids, so each wants an index of its own.',
      });
    }
    return beirSource(await readBeirFolder(folder));
  },
});

export default pipeline;
