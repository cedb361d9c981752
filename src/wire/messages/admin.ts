import { objectOf } from '../../core/arguments.ts';
import { anything, type Check, requireChange, text } from '../http/check.ts';
import { type EndpointTable, endpoints } from '../http/endpoint.ts';
import type { AdminClient, UsageReportParams } from './admin-types.ts';
import { type MessagesProfile, modelName } from './profile.ts';
import { listed, pages } from './wiring.ts';

const change: Check = (_, value) => requireChange(value);

const report: Check = listed({
  starting_at: text,
  ending_at: text,
  bucket_width: anything,
  limit: anything,
  group_by: anything,
  models: anything,
  workspace_ids: anything,
  api_key_ids: anything,
  service_tiers: anything,
  inference_geos: anything,
});

const lists = ['group_by', 'models', 'workspace_ids', 'api_key_ids', 'service_tiers', 'inference_geos'] as const;

/** A list goes into the query as `group_by[]`. */
function reportQuery(
  params: Partial<UsageReportParams>,
  profile: MessagesProfile,
): { readonly query: Record<string, string | number> } {
  objectOf(params, 'the request');
  const models = params.models && { models: params.models.map((model) => modelName(profile, model)) };
  const entries = Object.entries({ ...params, ...models }).map(([name, value]) => [
    lists.some((list) => list === name) ? `${name}[]` : name,
    value,
  ]);
  return { query: Object.fromEntries(entries) };
}

/** The administration operations. Updates name their whole result, so that they may be repeated. */
export const adminTable: EndpointTable<AdminClient, MessagesProfile> = endpoints<AdminClient, MessagesProfile>(
  { service: 'messages', prefix: 'messages.admin', group: 'admin' },
  {
    me: { at: 'GET /v1/organizations/me' },
    users: {
      list: { at: 'GET /v1/organizations/users', query: listed({ email: text }), pages },
      get: { at: 'GET /v1/organizations/users/{id}' },
      update: { at: 'POST /v1/organizations/users/{id}', repeat: 'always', json: change },
      delete: { at: 'DELETE /v1/organizations/users/{id}' },
    },
    invites: {
      create: { at: 'POST /v1/organizations/invites', json: change },
      list: { at: 'GET /v1/organizations/invites', query: listed(), pages },
      get: { at: 'GET /v1/organizations/invites/{id}' },
      delete: { at: 'DELETE /v1/organizations/invites/{id}' },
    },
    workspaces: {
      create: { at: 'POST /v1/organizations/workspaces', json: change },
      list: { at: 'GET /v1/organizations/workspaces', query: listed({ include_archived: anything }), pages },
      get: { at: 'GET /v1/organizations/workspaces/{id}' },
      update: { at: 'POST /v1/organizations/workspaces/{id}', repeat: 'always', json: change },
      archive: { at: 'POST /v1/organizations/workspaces/{id}/archive', repeat: 'always' },
    },
    members: {
      create: { at: 'POST /v1/organizations/workspaces/{id}/members', json: change },
      list: { at: 'GET /v1/organizations/workspaces/{id}/members', query: listed(), pages },
      get: { at: 'GET /v1/organizations/workspaces/{id}/members/{user_id}' },
      update: { at: 'POST /v1/organizations/workspaces/{id}/members/{user_id}', repeat: 'always', json: change },
      delete: { at: 'DELETE /v1/organizations/workspaces/{id}/members/{user_id}' },
    },
    apiKeys: {
      list: {
        name: 'messages.admin.api_keys.list',
        at: 'GET /v1/organizations/api_keys',
        query: listed({ status: anything, workspace_id: text, created_by_user_id: text }),
        pages,
      },
      get: { name: 'messages.admin.api_keys.get', at: 'GET /v1/organizations/api_keys/{id}' },
      update: {
        name: 'messages.admin.api_keys.update',
        at: 'POST /v1/organizations/api_keys/{id}',
        repeat: 'always',
        json: change,
      },
    },
    usageReport: {
      name: 'messages.admin.usage_report.messages',
      at: 'GET /v1/organizations/usage_report/messages',
      query: report,
      spell: ([params], profile) => reportQuery(params, profile),
      pages,
    },
    toolReport: {
      name: 'messages.admin.usage_report.tool',
      at: 'GET /v1/organizations/usage_report/{tool}',
      query: report,
      spell: ([, params], profile) => reportQuery(params, profile),
      pages,
    },
    costReport: {
      name: 'messages.admin.cost_report',
      at: 'GET /v1/organizations/cost_report',
      query: report,
      spell: ([params], profile) => reportQuery(params, profile),
      pages,
    },
  },
);
