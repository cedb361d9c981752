import * as v from 'valibot';
import type { Exchange, Route } from '../contract.ts';
import { strictly } from '../strict.ts';
import { reportRoutes } from './admin-reports.ts';
import { enter, pageByIds } from './door.ts';
import type { Engine } from './engine.ts';
import { refuse, refuseField } from './errors.ts';
import { newId } from './finish.ts';
import type { ResolvedOptions } from './options.ts';

type Row = Record<string, unknown> & { readonly id: string };
interface Member {
  readonly id: string;
  readonly type: 'workspace_member';
  readonly user_id: string;
  readonly workspace_id: string;
  workspace_role: string;
}

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(100));
const role = v.pipe(v.string(), v.regex(/^[a-z_]+$/));
const email = v.pipe(v.string(), v.email());
const workspaceRole = v.pipe(v.string(), v.regex(/^workspace_[a-z_]+$/));

/** What the administration operations work on; a small organisation is there from the start. */
export class AdminStore {
  readonly engine: Engine;
  readonly users: Row[] = [];
  readonly invites: Row[] = [];
  readonly workspaces: Row[] = [];
  readonly members: Member[] = [];
  readonly apiKeys: Row[] = [];
  readonly #options: ResolvedOptions;

  constructor(engine: Engine, options: ResolvedOptions) {
    this.engine = engine;
    this.#options = options;
    this.users.push(
      { id: 'user_01', type: 'user', email: 'ada@example.com', name: 'Ada', role: 'admin', added_at: this.at() },
      { id: 'user_02', type: 'user', email: 'bob@example.com', name: 'Bob', role: 'developer', added_at: this.at() },
    );
    this.workspaces.push(this.workspace('wrkspc_01', 'First'));
    this.apiKeys.push({
      id: 'apikey_01',
      type: 'api_key',
      name: 'First key',
      status: 'active',
      partial_key_hint: 'test...key',
      workspace_id: 'wrkspc_01',
      created_at: this.at(),
      created_by: { id: 'user_01', type: 'user' },
    });
  }

  at(plusMs = 0): string {
    return new Date(this.#options.now() + plusMs).toISOString();
  }

  workspace(id: string, called: string): Row {
    return { id, type: 'workspace', name: called, display_color: '#6C5BB9', created_at: this.at(), archived_at: null };
  }
}

/** 25 operations below `/v1/organizations`; updates are POST. */
export function adminRoutes(store: AdminStore, options: ResolvedOptions): Route[] {
  const root = '/v1/organizations';
  const paging = ['limit', 'after_id', 'before_id'];
  const find = (rows: readonly Row[], exchange: Exchange, key = 'id'): Row =>
    rows.find((row) => row.id === exchange.params[key]) ?? refuse(404, `${exchange.params[key]} not found`);
  const body = <T>(exchange: Exchange, schema: v.GenericSchema<unknown, T>): T => {
    const checked = strictly(schema, exchange.request.body);
    return checked.issue === undefined ? checked.value : refuseField(checked.issue.path, checked.issue.message);
  };
  const get = (path: string, handle: (exchange: Exchange) => unknown, query: readonly string[] = []): Route => ({
    method: 'GET',
    path: root + path,
    handle: (exchange) => {
      enter(exchange, options, { admin: true, query });
      return { json: handle(exchange) };
    },
  });
  const post = (path: string, handle: (exchange: Exchange) => unknown, kind: 'json' | 'none' = 'json'): Route => ({
    method: 'POST',
    path: root + path,
    handle: (exchange) => {
      enter(exchange, options, { admin: true, body: kind });
      return { json: handle(exchange) };
    },
  });
  const remove = (path: string, handle: (exchange: Exchange) => unknown): Route => ({
    method: 'DELETE',
    path: root + path,
    handle: (exchange) => {
      enter(exchange, options, { admin: true });
      return { json: handle(exchange) };
    },
  });
  const list = (path: string, rows: (exchange: Exchange) => readonly Row[], filters: readonly string[] = []): Route =>
    get(path, (exchange) => pageByIds(rows(exchange), exchange.request.query), [...paging, ...filters]);
  const drop = (rows: Row[], exchange: Exchange, type: string): unknown => {
    const row = find(rows, exchange);
    rows.splice(rows.indexOf(row), 1);
    return { id: row.id, type };
  };
  const members = (exchange: Exchange): Member[] => {
    const workspace = find(store.workspaces, exchange);
    return store.members.filter((member) => member.workspace_id === workspace.id);
  };
  const member = (exchange: Exchange): Member =>
    members(exchange).find((entry) => entry.user_id === exchange.params.user_id) ??
    refuse(404, `${exchange.params.user_id} is no member`);
  const shown = ({ id: _id, ...rest }: Member): Record<string, unknown> => rest;

  return [
    get('/me', () => ({ id: 'org-loopback', type: 'organization', name: 'Loopback' })),
    list('/users', ({ request }) => filtered(store.users, request.query, { email: 'email' }), ['email']),
    get('/users/{id}', (exchange) => find(store.users, exchange)),
    post('/users/{id}', (exchange) =>
      Object.assign(find(store.users, exchange), body(exchange, v.strictObject({ role }))),
    ),
    remove('/users/{id}', (exchange) => drop(store.users, exchange, 'user_deleted')),

    post('/invites', (exchange) => {
      const invite = {
        id: newId('invite'),
        type: 'invite',
        ...body(exchange, v.strictObject({ email, role })),
        status: 'pending',
        invited_at: store.at(),
        expires_at: store.at(21 * 86_400_000),
      };
      store.invites.unshift(invite);
      return invite;
    }),
    list('/invites', () => store.invites),
    get('/invites/{id}', (exchange) => find(store.invites, exchange)),
    remove('/invites/{id}', (exchange) => drop(store.invites, exchange, 'invite_deleted')),

    post('/workspaces', (exchange) => {
      const { name: called } = body(exchange, v.strictObject({ name }));
      if (store.workspaces.filter((row) => row.archived_at === null).length >= 100)
        refuse(400, 'at most 100 workspaces per organization');
      const workspace = store.workspace(newId('wrkspc'), called);
      store.workspaces.unshift(workspace);
      return workspace;
    }),
    list(
      '/workspaces',
      ({ request }) =>
        store.workspaces.filter((row) => row.archived_at === null || request.query.get('include_archived') === 'true'),
      ['include_archived'],
    ),
    get('/workspaces/{id}', (exchange) => find(store.workspaces, exchange)),
    post('/workspaces/{id}', (exchange) =>
      Object.assign(find(store.workspaces, exchange), body(exchange, v.strictObject({ name }))),
    ),
    post(
      '/workspaces/{id}/archive',
      (exchange) => Object.assign(find(store.workspaces, exchange), { archived_at: store.at() }),
      'none',
    ),

    post('/workspaces/{id}/members', (exchange) => {
      const workspace = find(store.workspaces, exchange);
      const given = body(exchange, v.strictObject({ user_id: v.string(), workspace_role: workspaceRole }));
      if (!store.users.some((user) => user.id === given.user_id)) refuse(404, `${given.user_id} not found`);
      if (members(exchange).some((entry) => entry.user_id === given.user_id))
        refuse(409, `${given.user_id} is a member already`);
      const added: Member = { id: given.user_id, type: 'workspace_member', workspace_id: workspace.id, ...given };
      store.members.push(added);
      return shown(added);
    }),
    get(
      '/workspaces/{id}/members',
      (exchange) => {
        const page = pageByIds(members(exchange), exchange.request.query) as { data: Member[] };
        return { ...page, data: page.data.map(shown) };
      },
      paging,
    ),
    get('/workspaces/{id}/members/{user_id}', (exchange) => shown(member(exchange))),
    post('/workspaces/{id}/members/{user_id}', (exchange) =>
      shown(Object.assign(member(exchange), body(exchange, v.strictObject({ workspace_role: workspaceRole })))),
    ),
    remove('/workspaces/{id}/members/{user_id}', (exchange) => {
      const gone = member(exchange);
      store.members.splice(store.members.indexOf(gone), 1);
      return { type: 'workspace_member_deleted', user_id: gone.user_id, workspace_id: gone.workspace_id };
    }),

    list(
      '/api_keys',
      ({ request }) => filtered(store.apiKeys, request.query, { status: 'status', workspace_id: 'workspace_id' }),
      ['status', 'workspace_id', 'created_by_user_id'],
    ),
    get('/api_keys/{id}', (exchange) => find(store.apiKeys, exchange)),
    post('/api_keys/{id}', (exchange) =>
      Object.assign(
        find(store.apiKeys, exchange),
        body(
          exchange,
          v.strictObject({
            name: v.optional(name),
            status: v.optional(v.picklist(['active', 'inactive', 'archived'])),
          }),
        ),
      ),
    ),
    ...reportRoutes(store, get),
  ];
}

function filtered(rows: readonly Row[], query: URLSearchParams, keys: Readonly<Record<string, string>>): Row[] {
  return rows.filter((row) =>
    Object.entries(keys).every(
      ([parameter, key]) => query.get(parameter) === null || query.get(parameter) === row[key],
    ),
  );
}
