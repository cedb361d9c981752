import type { WireCallOptions } from '../http/contract.ts';
import type { AdminClient, Deleted, ReportParams, UsageReportParams } from './admin-types.ts';
import { isRecord, mustBeOneOf, mustBeText, refuse } from './refuse.ts';
import { callForObject, type Listing, type ListParams, listing, mustBeId, type Wiring } from './wiring.ts';

type Options = WireCallOptions | undefined;
type Change = Readonly<Record<string, unknown>>;
type Path = Readonly<Record<string, string>>;

/** The administration operations, each checked for empty ids and empty changes before it is sent. */
export function adminClient(wiring: () => Wiring): AdminClient {
  const call = async <T>(name: string, options: Options, path: Path = {}, json?: Change): Promise<T> => {
    for (const [field, id] of Object.entries(path)) mustBeId(id, field);
    if (json !== undefined) checkChange(json);
    return callForObject<T>(wiring(), `messages.admin.${name}`, {
      path,
      ...(json === undefined ? {} : { json }),
      options,
    });
  };
  const list = <T>(name: string, params: ListParams, options: Options, path: Path = {}): Listing<T> => {
    for (const [field, id] of Object.entries(path)) mustBeId(id, field);
    return listing<T>(wiring, `messages.admin.${name}`, params, { path, options });
  };
  const report = <T>(
    name: string,
    params: ReportParams & Partial<UsageReportParams>,
    options: Options,
    path: Path = {},
  ): Listing<T> => {
    for (const [field, id] of Object.entries(path)) mustBeId(id, field);
    checkReport(params);
    const { limit, page, starting_at, ending_at, bucket_width, ...lists } = params;
    const query = Object.fromEntries(Object.entries(lists).map(([key, value]) => [`${key}[]`, value]));
    return listing<T>(
      wiring,
      `messages.admin.${name}`,
      { limit, page },
      {
        path,
        query: { starting_at, ending_at, bucket_width, ...query },
        options,
        maxLimit: 1440, // a day in minutes
      },
    );
  };
  return {
    me: (options) => call('me', options),
    users: {
      list: (params = {}, options) => list('users.list', params, options),
      get: (id, options) => call('users.get', options, { id }),
      update: (id, change, options) => call('users.update', options, { id }, change),
      delete: (id, options) => call<Deleted>('users.delete', options, { id }),
    },
    invites: {
      create: async (invite, options) => {
        if (!isRecord(invite) || typeof invite.email !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(invite.email)) {
          refuse('email', 'must be an e-mail address');
        }
        mustBeText(invite.role, 'role');
        return call('invites.create', options, {}, { ...invite });
      },
      list: (params = {}, options) => list('invites.list', params, options),
      get: (id, options) => call('invites.get', options, { id }),
      delete: (id, options) => call<Deleted>('invites.delete', options, { id }),
    },
    workspaces: {
      create: (workspace, options) => call('workspaces.create', options, {}, workspace),
      list: (params = {}, options) => list('workspaces.list', params, options),
      get: (id, options) => call('workspaces.get', options, { id }),
      update: (id, change, options) => call('workspaces.update', options, { id }, change),
      archive: (id, options) => call('workspaces.archive', options, { id }),
    },
    members: {
      create: (id, member, options) => call('members.create', options, { id }, member),
      list: (id, params = {}, options) => list('members.list', params, options, { id }),
      get: (id, userId, options) => call('members.get', options, { id, user_id: userId }),
      update: (id, userId, change, options) => call('members.update', options, { id, user_id: userId }, change),
      delete: (id, userId, options) => call('members.delete', options, { id, user_id: userId }),
    },
    apiKeys: {
      list: (params = {}, options) => list('api_keys.list', params, options),
      get: (id, options) => call('api_keys.get', options, { id }),
      update: (id, change, options) => call('api_keys.update', options, { id }, change),
    },
    usageReport: (params, options) => report('usage_report.messages', params, options),
    toolReport: (tool, params, options) => report('usage_report.tool', params, options, { tool }),
    costReport: (params, options) => report('cost_report', params, options),
  };
}

/** An update that names nothing, or names something empty, is a mistake of the caller. */
function checkChange(change: Change): void {
  if (!isRecord(change)) refuse('change', 'must be an object');
  const named = Object.entries(change).filter(([, value]) => value !== undefined);
  if (named.length === 0) refuse('change', 'names nothing to change');
  for (const [key, value] of named) mustBeText(value, key);
}

function checkReport(params: ReportParams): void {
  if (!isRecord(params)) refuse('params', 'must be an object');
  for (const key of ['starting_at', 'ending_at'] as const) {
    const value: unknown = params[key];
    if (value === undefined && key === 'ending_at') continue;
    if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) {
      refuse(key, `must be a time like 2026-03-01T00:00:00Z, not ${JSON.stringify(value)}`);
    }
  }
  if (params.ending_at !== undefined && Date.parse(params.ending_at) <= Date.parse(params.starting_at)) {
    refuse('ending_at', 'must be after starting_at');
  }
  if (params.bucket_width !== undefined) mustBeOneOf(params.bucket_width, 'bucket_width', ['1m', '1h', '1d']);
}
