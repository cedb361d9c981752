import type { Operation, RepeatRule } from '../http/contract.ts';

type Row = readonly [method: Operation['method'], path: string, repeat: RepeatRule, group: string, genAi?: string];

/**
 * Every operation of the service: where it is, and when it may be sent again by itself. Reads, deletes and updates that name their
 * whole result may always; what bills or creates only when the service says it did not happen.
 */
const rows: Readonly<Record<string, Row>> = {
  'messages.create': ['POST', '/v1/messages', 'refused', 'messages', 'chat'],
  'messages.stream': ['POST', '/v1/messages', 'refused', 'messages', 'chat'],
  'messages.count_tokens': ['POST', '/v1/messages/count_tokens', 'always', 'counts'],
  'messages.chat': ['POST', '/v1/chat/completions', 'refused', 'messages', 'chat'],
  'messages.chat_stream': ['POST', '/v1/chat/completions', 'refused', 'messages', 'chat'],

  'messages.batches.create': ['POST', '/v1/messages/batches', 'refused', 'batches'],
  'messages.batches.list': ['GET', '/v1/messages/batches', 'always', 'batches'],
  'messages.batches.get': ['GET', '/v1/messages/batches/{id}', 'always', 'batches'],
  'messages.batches.cancel': ['POST', '/v1/messages/batches/{id}/cancel', 'always', 'batches'],
  'messages.batches.delete': ['DELETE', '/v1/messages/batches/{id}', 'always', 'batches'],
  'messages.batches.results': ['GET', '/v1/messages/batches/{id}/results', 'always', 'batches'],

  'messages.models.list': ['GET', '/v1/models', 'always', 'models'],
  'messages.models.get': ['GET', '/v1/models/{id}', 'always', 'models'],

  'messages.files.upload': ['POST', '/v1/files', 'refused', 'files'],
  'messages.files.list': ['GET', '/v1/files', 'always', 'files'],
  'messages.files.get': ['GET', '/v1/files/{id}', 'always', 'files'],
  'messages.files.content': ['GET', '/v1/files/{id}/content', 'always', 'files'],
  'messages.files.delete': ['DELETE', '/v1/files/{id}', 'always', 'files'],

  'messages.admin.me': ['GET', '/v1/organizations/me', 'always', 'admin'],
  'messages.admin.users.list': ['GET', '/v1/organizations/users', 'always', 'admin'],
  'messages.admin.users.get': ['GET', '/v1/organizations/users/{id}', 'always', 'admin'],
  'messages.admin.users.update': ['POST', '/v1/organizations/users/{id}', 'always', 'admin'],
  'messages.admin.users.delete': ['DELETE', '/v1/organizations/users/{id}', 'always', 'admin'],
  'messages.admin.invites.create': ['POST', '/v1/organizations/invites', 'refused', 'admin'],
  'messages.admin.invites.list': ['GET', '/v1/organizations/invites', 'always', 'admin'],
  'messages.admin.invites.get': ['GET', '/v1/organizations/invites/{id}', 'always', 'admin'],
  'messages.admin.invites.delete': ['DELETE', '/v1/organizations/invites/{id}', 'always', 'admin'],
  'messages.admin.workspaces.create': ['POST', '/v1/organizations/workspaces', 'refused', 'admin'],
  'messages.admin.workspaces.list': ['GET', '/v1/organizations/workspaces', 'always', 'admin'],
  'messages.admin.workspaces.get': ['GET', '/v1/organizations/workspaces/{id}', 'always', 'admin'],
  'messages.admin.workspaces.update': ['POST', '/v1/organizations/workspaces/{id}', 'always', 'admin'],
  'messages.admin.workspaces.archive': ['POST', '/v1/organizations/workspaces/{id}/archive', 'always', 'admin'],
  'messages.admin.members.create': ['POST', '/v1/organizations/workspaces/{id}/members', 'refused', 'admin'],
  'messages.admin.members.list': ['GET', '/v1/organizations/workspaces/{id}/members', 'always', 'admin'],
  'messages.admin.members.get': ['GET', '/v1/organizations/workspaces/{id}/members/{user_id}', 'always', 'admin'],
  'messages.admin.members.update': ['POST', '/v1/organizations/workspaces/{id}/members/{user_id}', 'always', 'admin'],
  'messages.admin.members.delete': ['DELETE', '/v1/organizations/workspaces/{id}/members/{user_id}', 'always', 'admin'],
  'messages.admin.api_keys.list': ['GET', '/v1/organizations/api_keys', 'always', 'admin'],
  'messages.admin.api_keys.get': ['GET', '/v1/organizations/api_keys/{id}', 'always', 'admin'],
  'messages.admin.api_keys.update': ['POST', '/v1/organizations/api_keys/{id}', 'always', 'admin'],
  'messages.admin.usage_report.messages': ['GET', '/v1/organizations/usage_report/messages', 'always', 'admin'],
  'messages.admin.usage_report.tool': ['GET', '/v1/organizations/usage_report/{tool}', 'always', 'admin'],
  'messages.admin.cost_report': ['GET', '/v1/organizations/cost_report', 'always', 'admin'],
};

/** The operation table of service 2. */
export const messagesOperations: readonly Operation[] = Object.entries(rows).map(
  ([name, [method, path, repeat, group, genAi]]) => ({
    name,
    service: 'messages',
    method,
    path,
    repeat,
    group,
    ...(genAi === undefined ? {} : { genAi }),
  }),
);

const byName = new Map(messagesOperations.map((row) => [row.name, row]));

/** The row of an operation by its name. */
export function operation(name: string): Operation {
  const row = byName.get(name);
  if (row === undefined) throw new Error(`no operation ${name}`);
  return row;
}
