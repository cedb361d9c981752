import { invalidAnswer, type Shape, shaped } from '../http/answer.ts';
import { fields, required, requireText, text } from '../http/check.ts';
import type { Operation, WireCallOptions } from '../http/contract.ts';
import { ask, bytes, type EndpointTable, endpoints, nothing, type Sent } from '../http/endpoint.ts';
import { queuedAnswer, queuedAnswers } from './answer-async.ts';
import type { AsyncAnswers } from './answer-types.ts';
import { known } from './check.ts';
import { type Open, texts } from './parse.ts';
import { referenceProfile, type SearchPaths, type SearchProfile } from './profile.ts';
import { receiveRun } from './research-parse.ts';
import type { ModelEntry, Research, ResearchFile } from './research-types.ts';
import type { Sandbox, SandboxEntry, SandboxFile, SandboxProcess } from './sandbox-types.ts';

/** An operation whose method is written beside the table. */
type Own = () => void;

/** The operations, in the tree of the client. */
interface Calls {
  readonly answers: Record<'create' | 'stream', Own> & {
    readonly async: Record<'create', Own> & Pick<AsyncAnswers, 'get' | 'list'>;
  };
  readonly research: Record<'create' | 'stream' | 'resume', Own> &
    Pick<Research, 'get' | 'cancel' | 'files' | 'fileContent'>;
  readonly search: Own;
  readonly embeddings: Record<'create' | 'contextual', Own>;
  models(options?: WireCallOptions): Promise<readonly ModelEntry[]>;
  readonly sandbox: Sandbox;
}

/** `answers.async.get`: the keys of the tree from its root. */
type Names<Tree, Path extends string = ''> = {
  [Key in keyof Tree & string]: Tree[Key] extends (...args: never[]) => unknown
    ? `${Path}${Key}`
    : Names<Tree[Key], `${Path}${Key}.`>;
}[keyof Tree & string];

export type SearchOperationName = Names<Calls>;
export type SearchOperations = Readonly<Record<SearchOperationName, Operation>>;

/** A list of the answer, its entries looked at. */
const list =
  <T>(field: string, entry: Shape) =>
  async (sent: Sent<SearchProfile>): Promise<readonly T[]> => {
    const { reply, where } = await ask(sent);
    const body = shaped<Readonly<Record<string, readonly T[]>>>(where, reply.body, { [field]: [entry] });
    return body[field]!; // looked at just before
  };

/** An answer that may be empty. */
const objectOrNothing = async (sent: Sent<SearchProfile>): Promise<Open> => {
  const { reply, where } = await ask(sent);
  return reply.body === undefined ? {} : shaped(where, reply.body, {});
};

const session: Shape = { session_id: 'string' };
const base64 = (content: string | Uint8Array): string => Buffer.from(content as Uint8Array).toString('base64');

async function sandboxFile(sent: Sent<SearchProfile>): Promise<SandboxFile> {
  const { reply, where } = await ask(sent);
  const file = shaped<{ content: string; size?: unknown }>(where, reply.body, { content: 'string' });
  const content = Uint8Array.from(Buffer.from(file.content, 'base64'));
  if (typeof file.size === 'number' && file.size !== content.length) {
    throw invalidAnswer(where, `content has ${content.length} bytes, size says ${file.size}`);
  }
  return { path: String(sent.call.query?.path), content };
}

/**
 * The operations below the paths of a profile. Why one may be repeated:
 *
 * - Reads and polls change nothing: `always`.
 * - A search and an embeddings call bill, but leave nothing behind, and a repeat costs at most one cent (0.005 USD, and
 *   120,000 tokens at 0.03 USD per million): an answer is worth more than the cent, so `always`.
 * - An answer may cost much more and is billed once it is written: `refused`. With a deep model it searches for
 *   minutes: `unsent`.
 * - A research run bills while it works: `unsent`.
 * - Queueing an answer carries an idempotency key, made here when the caller gives none: `always`.
 * - Sandbox calls run code: `unsent`, but for those that only look.
 */
export function searchEndpoints(paths: SearchPaths): EndpointTable<Calls, SearchProfile> {
  const at = <M extends Operation['method']>(method: M, area: keyof SearchPaths, below = ''): `${M} /${string}` =>
    `${method} ${paths[area]}${below}` as `${M} /${string}`; // paths of a profile begin with a slash
  const answers = { group: 'answers', repeat: 'refused', genAi: 'chat' } as const;
  const queued = { group: 'answers.reads' } as const;
  const research = { group: 'research', repeat: 'unsent', genAi: 'chat' } as const;
  const runs = { group: 'research.reads' } as const;
  const embeddings = { group: 'embeddings', repeat: 'always', genAi: 'embeddings' } as const;
  return endpoints<Calls, SearchProfile>(
    { service: 'search', prefix: '', group: 'sandbox' },
    {
      answers: {
        create: { at: at('POST', 'answers'), ...answers },
        stream: { at: at('POST', 'answers'), ...answers },
        async: {
          create: { at: at('POST', 'asyncAnswers'), group: 'answers.async', repeat: 'always', genAi: 'chat' },
          get: { at: at('GET', 'asyncAnswers', '/{id}'), ...queued, answer: queuedAnswer },
          list: {
            at: at('GET', 'asyncAnswers'),
            ...queued,
            query: fields(known('limit', 'next_token')),
            answer: queuedAnswers,
          },
        },
      },
      research: {
        create: { at: at('POST', 'research'), ...research },
        stream: { at: at('POST', 'research'), ...research },
        get: { at: at('GET', 'research', '/{response_id}'), ...runs, answer: receiveRun },
        resume: { at: at('GET', 'research', '/{response_id}'), ...runs },
        cancel: { at: at('POST', 'research', '/{response_id}/cancel'), ...runs, repeat: 'always' },
        files: {
          at: at('GET', 'research', '/{response_id}/files'),
          ...runs,
          answer: list<ResearchFile>('data', { id: 'string' }),
        },
        fileContent: { at: at('GET', 'research', '/{response_id}/files/{file_id}/content'), ...runs, answer: bytes },
      },
      search: { at: at('POST', 'search'), group: 'search', repeat: 'always' },
      embeddings: {
        create: { at: at('POST', 'embeddings'), ...embeddings },
        contextual: { at: at('POST', 'contextualEmbeddings'), ...embeddings },
      },
      models: { at: at('GET', 'models'), ...runs, answer: list<ModelEntry>('data', { id: 'string' }) },
      sandbox: {
        create: {
          at: at('POST', 'sandbox'),
          repeat: 'unsent',
          json: fields(known('network_enabled')),
          answer: session,
        },
        get: { at: at('GET', 'sandbox', '/{session_id}'), answer: session },
        delete: { at: at('DELETE', 'sandbox', '/{session_id}'), answer: nothing },
        execute: {
          at: at('POST', 'sandbox', '/{session_id}/execute'),
          repeat: 'unsent',
          genAi: 'execute_tool',
          json: fields({ ...known('language', 'background', 'execution_timeout'), code: required(text) }),
          spell: ([, request]) => ({ json: { ...request, code: base64(request.code) } }),
          answer: objectOrNothing,
        },
        pause: { at: at('POST', 'sandbox', '/{session_id}/pause'), answer: objectOrNothing },
        resume: { at: at('POST', 'sandbox', '/{session_id}/resume'), answer: objectOrNothing },
        readFile: {
          at: at('GET', 'sandbox', '/{session_id}/files'),
          query: (_, path) => requireText('path', path),
          spell: ([, path]) => ({ query: { path } }),
          answer: sandboxFile,
        },
        writeFile: {
          at: at('POST', 'sandbox', '/{session_id}/files'),
          repeat: 'always',
          json: (_, path) => requireText('path', path),
          spell: ([, path, content, options]) => ({ json: { path, content: base64(content) }, options }),
          answer: objectOrNothing,
        },
        listFiles: { at: at('GET', 'sandbox', '/{session_id}/files/list'), answer: list<SandboxEntry>('entries', {}) },
        modifiedFiles: {
          at: at('GET', 'sandbox', '/{session_id}/files/modified'),
          answer: async (sent) => texts((await objectOrNothing(sent)).files),
        },
        processes: {
          at: at('GET', 'sandbox', '/{session_id}/processes'),
          answer: list<SandboxProcess>('processes', {}),
        },
        process: { at: at('GET', 'sandbox', '/{session_id}/processes/{pid}'), answer: objectOrNothing },
        kill: { at: at('DELETE', 'sandbox', '/{session_id}/processes/{pid}'), answer: nothing },
      },
    },
  );
}

/** The operations by name. */
export function searchOperations(paths: SearchPaths): SearchOperations {
  const { operations } = searchEndpoints(paths);
  // The names of the table are the names of its type.
  return Object.fromEntries(operations.map((operation) => [operation.name, operation])) as SearchOperations;
}

export const searchOperationNames: readonly SearchOperationName[] = Object.keys(
  searchOperations(referenceProfile.paths),
) as SearchOperationName[]; // as above
