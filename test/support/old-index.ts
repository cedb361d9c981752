import { connectDatabase } from '../../src/store/index.ts';
import { readLayout, shardFolders } from '../../src/store/shards/layout.ts';
import { Meta, type StoreState } from '../../src/store/state.ts';

/**
 * Makes an index, of shards too, one that another version of ibid has analysed or, with `textVersion`, cut.
 * @param shard the only one of its shards to make so
 */
export async function makeOld(
  address: string,
  part: 'analysisVersion' | 'textVersion' = 'analysisVersion',
  shard?: number,
): Promise<void> {
  const layout = readLayout(address);
  const folders = layout ? shardFolders(address, layout) : [address];
  for (const folder of shard === undefined ? folders : [folders[shard]!]) {
    const database = await connectDatabase(folder);
    const meta = new Meta(await database.open('meta'), database);
    const state = (await meta.get('state')) as StoreState;
    const fingerprint = { ...state.current.fingerprint, [part]: 0 };
    await meta.writeState({ ...state, current: { ...state.current, fingerprint } });
    await database.close();
  }
}
