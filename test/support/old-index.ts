import { connectDatabase } from '../../src/store/index.ts';
import { readLayout, shardFolders } from '../../src/store/shards/layout.ts';
import { Meta, type StoreState } from '../../src/store/state.ts';

/** Makes an index, of shards too, one that another version of ibid has analysed or, with `textVersion`, cut. */
export async function makeOld(
  address: string,
  part: 'analysisVersion' | 'textVersion' = 'analysisVersion',
): Promise<void> {
  const layout = readLayout(address);
  for (const folder of layout ? shardFolders(address, layout) : [address]) {
    const database = await connectDatabase(folder);
    const meta = new Meta(await database.open('meta'), database);
    const state = (await meta.get('state')) as StoreState;
    const fingerprint = { ...state.current.fingerprint, [part]: 0 };
    await meta.writeState({ ...state, current: { ...state.current, fingerprint } });
    await database.close();
  }
}
