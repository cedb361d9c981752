import type { Operation, RepeatRule } from '../http/contract.ts';
import type { SearchPaths } from './profile.ts';

export type SearchOperationName =
  | 'answers.create'
  | 'answers.stream'
  | 'answers.async.create'
  | 'answers.async.get'
  | 'answers.async.list'
  | 'research.create'
  | 'research.stream'
  | 'research.get'
  | 'research.resume'
  | 'research.cancel'
  | 'research.files'
  | 'research.fileContent'
  | 'search'
  | 'embeddings.create'
  | 'embeddings.contextual'
  | 'models'
  | 'sandbox.create'
  | 'sandbox.get'
  | 'sandbox.delete'
  | 'sandbox.execute'
  | 'sandbox.pause'
  | 'sandbox.resume'
  | 'sandbox.readFile'
  | 'sandbox.writeFile'
  | 'sandbox.listFiles'
  | 'sandbox.modifiedFiles'
  | 'sandbox.processes'
  | 'sandbox.process'
  | 'sandbox.kill';

export type SearchOperations = Readonly<Record<SearchOperationName, Operation>>;

type Row = readonly [
  method: Operation['method'],
  path: keyof SearchPaths,
  below: string,
  repeat: RepeatRule,
  group: string,
  genAi?: string,
];

/**
 * One row per operation. Why a row may be repeated:
 *
 * - Reads and polls change nothing: `always`.
 * - A search and an embeddings call bill, but leave nothing behind, and a repeat costs at most one cent (0.005 USD, and 120,000
 *   tokens at 0.03 USD per million): an answer is worth more than the cent, so `always`.
 * - An answer may cost much more and is billed once it is written: `refused`. With a deep model it searches for minutes: `unsent`.
 * - A research run bills while it works: `unsent`.
 * - Queueing an answer carries an idempotency key, made here when the caller gives none: `always`.
 * - Sandbox calls run code: `unsent`, but for those that only look.
 */
const rows: Readonly<Record<SearchOperationName, Row>> = {
  'answers.create': ['POST', 'answers', '', 'refused', 'answers', 'chat'],
  'answers.stream': ['POST', 'answers', '', 'refused', 'answers', 'chat'],
  'answers.async.create': ['POST', 'asyncAnswers', '', 'always', 'answers.async', 'chat'],
  'answers.async.get': ['GET', 'asyncAnswers', '/{id}', 'always', 'answers.reads'],
  'answers.async.list': ['GET', 'asyncAnswers', '', 'always', 'answers.reads'],
  'research.create': ['POST', 'research', '', 'unsent', 'research', 'chat'],
  'research.stream': ['POST', 'research', '', 'unsent', 'research', 'chat'],
  'research.get': ['GET', 'research', '/{response_id}', 'always', 'research.reads'],
  'research.resume': ['GET', 'research', '/{response_id}', 'always', 'research.reads'],
  'research.cancel': ['POST', 'research', '/{response_id}/cancel', 'always', 'research.reads'],
  'research.files': ['GET', 'research', '/{response_id}/files', 'always', 'research.reads'],
  'research.fileContent': ['GET', 'research', '/{response_id}/files/{file_id}/content', 'always', 'research.reads'],
  search: ['POST', 'search', '', 'always', 'search'],
  'embeddings.create': ['POST', 'embeddings', '', 'always', 'embeddings', 'embeddings'],
  'embeddings.contextual': ['POST', 'contextualEmbeddings', '', 'always', 'embeddings', 'embeddings'],
  models: ['GET', 'models', '', 'always', 'research.reads'],
  'sandbox.create': ['POST', 'sandbox', '', 'unsent', 'sandbox'],
  'sandbox.get': ['GET', 'sandbox', '/{session_id}', 'always', 'sandbox'],
  'sandbox.delete': ['DELETE', 'sandbox', '/{session_id}', 'always', 'sandbox'],
  'sandbox.execute': ['POST', 'sandbox', '/{session_id}/execute', 'unsent', 'sandbox', 'execute_tool'],
  'sandbox.pause': ['POST', 'sandbox', '/{session_id}/pause', 'refused', 'sandbox'],
  'sandbox.resume': ['POST', 'sandbox', '/{session_id}/resume', 'refused', 'sandbox'],
  'sandbox.readFile': ['GET', 'sandbox', '/{session_id}/files', 'always', 'sandbox'],
  'sandbox.writeFile': ['POST', 'sandbox', '/{session_id}/files', 'always', 'sandbox'],
  'sandbox.listFiles': ['GET', 'sandbox', '/{session_id}/files/list', 'always', 'sandbox'],
  'sandbox.modifiedFiles': ['GET', 'sandbox', '/{session_id}/files/modified', 'always', 'sandbox'],
  'sandbox.processes': ['GET', 'sandbox', '/{session_id}/processes', 'always', 'sandbox'],
  'sandbox.process': ['GET', 'sandbox', '/{session_id}/processes/{pid}', 'always', 'sandbox'],
  'sandbox.kill': ['DELETE', 'sandbox', '/{session_id}/processes/{pid}', 'always', 'sandbox'],
};

// `rows` is one object literal, so its keys are its type's keys.
export const searchOperationNames: readonly SearchOperationName[] = Object.keys(rows) as SearchOperationName[];

/** The operation table over a profile's paths. */
export function searchOperations(paths: SearchPaths): SearchOperations {
  const entries = searchOperationNames.map((name): [SearchOperationName, Operation] => {
    const [method, path, below, repeat, group, genAi] = rows[name];
    const operation = { name, service: 'search', method, path: paths[path] + below, repeat, group } as const;
    return [name, genAi === undefined ? operation : { ...operation, genAi }];
  });
  // One entry per name, from the list of all names.
  return Object.fromEntries(entries) as Record<SearchOperationName, Operation>;
}
