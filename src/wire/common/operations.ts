import type { Operation } from '../http/contract.ts';
import { operation } from '../http/endpoint.ts';

/** The operations of the common dialect, by the name of the client's method. */
export interface CommonOperations {
  readonly embeddings: Operation;
  readonly chat: Operation;
  readonly chatStream: Operation;
  readonly rerank: Operation;
  readonly models: Operation;
  readonly transcribe: Operation;
  readonly speech: Operation;
}

/**
 * The operations below a prefix: `/v1` as a rule; '' for servers that have none. An embedding, a score and a listing
 * leave nothing behind and may be asked for again; a text and a sound may be billed and are only sent again when the
 * server refused.
 */
export function commonOperations(prefix: string): CommonOperations {
  const at = (name: string, way: `${'GET' | 'POST'} /${string}`, genAi?: string): Operation => {
    const [method, path] = way.split(' ') as ['GET' | 'POST', string]; // as its type says
    const repeat = name === 'embeddings' || name === 'rerank' || name === 'models' ? 'always' : 'refused';
    const table = { service: 'common', group: name } as const;
    return operation(table, `common.${name}`, `${method} /${`${prefix}${path}`.slice(1)}`, {
      repeat,
      ...(genAi === undefined ? {} : { genAi }),
    });
  };
  return {
    embeddings: at('embeddings', 'POST /embeddings', 'embeddings'),
    chat: at('chat', 'POST /chat/completions', 'chat'),
    chatStream: at('chatStream', 'POST /chat/completions', 'chat'),
    rerank: at('rerank', 'POST /rerank'),
    models: at('models', 'GET /models'),
    transcribe: at('transcribe', 'POST /audio/transcriptions'),
    speech: at('speech', 'POST /audio/speech'),
  };
}

export const commonOperationNames: readonly string[] = Object.values(commonOperations('/v1')).map(({ name }) => name);
