import { version } from '../../core/package-files.ts';
import type { SearchIndex } from '../../search-index/search-index.ts';
import { servedShards, statusAnswer } from '../answer-shapes.ts';
import type { NamedIndexes } from '../indexes.ts';
import { problemBody, problemOf } from '../problem.ts';
import { type IndexRequest, indexRequest } from '../request-shapes.ts';
import { type Call, type Route, route } from '../route.ts';
import type { Watching } from '../watching.ts';

export function statusRoute(watching: Watching): Route {
  return route<IndexRequest>({
    path: '/api/status',
    methods: ['GET'],
    summary: 'What is in each index, and what could not be read.',
    scope: 'read',
    request: indexRequest,
    answer: statusAnswer,
    handle: async ({ input, access, indexes, signal }) => {
      const states = await ofEach(indexes.chosen(input.index), signal, async (name, index) => {
        const run = access.token?.where === undefined ? watching.stateOf(name) : undefined;
        return { name, ...(await statusOf(access.view(index), signal)), ...(run !== undefined && { ingest: run }) };
      });
      const modes = access.has('ask') ? modesOf(access) : [];
      return { json: { version: version(), modes, watching: watching.isOn, indexes: states } };
    },
  });
}

/** An index that cannot be read as a whole. */
interface Unread {
  readonly name: string;
  readonly error: ReturnType<typeof problemBody>['error'];
}

/**
 * What each index gives; of those that cannot be read, why.
 * @throws the error of the first when none can
 */
export async function ofEach<T>(
  chosen: ReturnType<NamedIndexes['chosen']>,
  signal: AbortSignal,
  use: (name: string, index: SearchIndex) => Promise<T>,
): Promise<readonly (T | Unread)[]> {
  const given = await Promise.allSettled(chosen.map(([name, index]) => use(name, index)));
  signal.throwIfAborted();
  const [first] = given;
  if (first?.status === 'rejected' && given.every(({ status }) => status === 'rejected')) throw first.reason;
  return given.map((one, i) =>
    one.status === 'fulfilled' ? one.value : { name: chosen[i]![0], error: problemBody(problemOf(one.reason)).error },
  );
}

/** The modes that a caller who may ask has money for. */
export function modesOf({ budget }: Call['access']): readonly string[] {
  return budget.budgetUsd === 0 ? ['extractive'] : ['extractive', 'grounded', 'agent', 'research', 'answer'];
}

/** Without the address, which is a path of this machine; and without the words of an error, which may name one. */
async function statusOf(index: SearchIndex, signal: AbortSignal): Promise<object> {
  const { address: _, failed, skipped, warnings, shards, ...status } = await index.status({ signal });
  const told = <T extends { readonly code: string }>(one: T): T & { readonly message: string } => {
    const { message } = problemOf(Object.assign(new Error(), { name: 'IbidError', code: one.code, hint: undefined }));
    return { ...one, message };
  };
  return {
    ...status,
    ...servedShards([shards]),
    failed: failed.map(told),
    skipped: skipped.map(told),
    warnings: warnings.map(({ uri, code, leftOut }) => ({ uri, code, ...(leftOut !== undefined && { leftOut }) })),
  };
}
