import type { WireCallOptions } from '../http/contract.ts';
import type { Listing, ListParams } from './wiring.ts';

/** Six levels, not all of them named by the reference; the service decides what it takes. */
export type OrganizationRole = 'user' | 'developer' | 'billing' | 'admin' | 'owner' | (string & {});
export type WorkspaceRole =
  | 'workspace_user'
  | 'workspace_developer'
  | 'workspace_admin'
  | 'workspace_billing'
  | (string & {});

export interface Organization {
  readonly id: string;
  readonly type: 'organization';
  readonly name: string;
}

export interface OrganizationUser {
  readonly id: string;
  readonly type: 'user';
  readonly email: string;
  readonly name: string;
  readonly role: OrganizationRole;
  readonly added_at: string;
}

export interface Invite {
  readonly id: string;
  readonly type: 'invite';
  readonly email: string;
  readonly role: OrganizationRole;
  readonly invited_at: string;
  readonly expires_at: string;
  readonly status: 'pending' | 'accepted' | 'expired' | 'deleted' | (string & {});
}

export interface Workspace {
  readonly id: string;
  readonly type: 'workspace';
  readonly name: string;
  readonly created_at: string;
  readonly archived_at: string | null;
  readonly display_color?: string;
}

export interface WorkspaceMember {
  readonly type: 'workspace_member';
  readonly user_id: string;
  readonly workspace_id: string;
  readonly workspace_role: WorkspaceRole;
}

/** The key itself is shown once, in the console; here only the hint. */
export interface ApiKeyInfo {
  readonly id: string;
  readonly type: 'api_key';
  readonly name: string;
  readonly status: 'active' | 'inactive' | 'archived' | (string & {});
  /** null: the default workspace. */
  readonly workspace_id: string | null;
  readonly created_at: string;
  readonly created_by?: { readonly id: string; readonly type: string };
  readonly partial_key_hint?: string | null;
}

export interface Deleted {
  readonly id: string;
  readonly type: string;
}

export interface ReportParams {
  /** RFC 3339, inclusive. */
  readonly starting_at: string;
  /** RFC 3339, exclusive. @default now */
  readonly ending_at?: string | undefined;
  readonly bucket_width?: '1m' | '1h' | '1d' | undefined;
  /** Buckets per page. */
  readonly limit?: number | undefined;
  readonly page?: string | undefined;
  readonly group_by?: readonly string[] | undefined;
}

export interface UsageReportParams extends ReportParams {
  readonly models?: readonly string[] | undefined;
  readonly workspace_ids?: readonly string[] | undefined;
  readonly api_key_ids?: readonly string[] | undefined;
  readonly service_tiers?: readonly string[] | undefined;
  readonly inference_geos?: readonly string[] | undefined;
}

export interface ReportBucket<T> {
  readonly starting_at: string;
  readonly ending_at: string;
  readonly results: readonly T[];
}

export interface UsageRow {
  readonly uncached_input_tokens?: number;
  readonly cache_read_input_tokens?: number;
  readonly cache_creation?: {
    readonly ephemeral_5m_input_tokens?: number;
    readonly ephemeral_1h_input_tokens?: number;
  } | null;
  readonly output_tokens?: number;
  readonly server_tool_use?: { readonly web_search_requests?: number } | null;
  readonly model?: string | null;
  readonly workspace_id?: string | null;
  readonly api_key_id?: string | null;
  readonly service_tier?: string | null;
  readonly inference_geo?: string | null;
  readonly [field: string]: unknown;
}

export interface CostRow {
  /** In the smallest unit of the currency, as a decimal string. */
  readonly amount: string;
  readonly currency: string;
  readonly workspace_id?: string | null;
  readonly description?: string | null;
  readonly [field: string]: unknown;
}

type Options = WireCallOptions;

/** The 25 operations of the organisation. They need an admin key (`adminKey`). Updates name only what changes. */
export interface AdminClient {
  me(options?: Options): Promise<Organization>;
  readonly users: {
    list(params?: ListParams & { readonly email?: string | undefined }, options?: Options): Listing<OrganizationUser>;
    get(id: string, options?: Options): Promise<OrganizationUser>;
    update(id: string, change: { readonly role: OrganizationRole }, options?: Options): Promise<OrganizationUser>;
    delete(id: string, options?: Options): Promise<Deleted>;
  };
  readonly invites: {
    create(invite: { readonly email: string; readonly role: OrganizationRole }, options?: Options): Promise<Invite>;
    list(params?: ListParams, options?: Options): Listing<Invite>;
    get(id: string, options?: Options): Promise<Invite>;
    delete(id: string, options?: Options): Promise<Deleted>;
  };
  readonly workspaces: {
    /** At most 100 in an organisation. */
    create(workspace: { readonly name: string }, options?: Options): Promise<Workspace>;
    list(
      params?: ListParams & { readonly include_archived?: boolean | undefined },
      options?: Options,
    ): Listing<Workspace>;
    get(id: string, options?: Options): Promise<Workspace>;
    update(id: string, change: { readonly name: string }, options?: Options): Promise<Workspace>;
    /** Cannot be undone; its keys stop working. */
    archive(id: string, options?: Options): Promise<Workspace>;
  };
  readonly members: {
    create(
      workspaceId: string,
      member: { readonly user_id: string; readonly workspace_role: WorkspaceRole },
      options?: Options,
    ): Promise<WorkspaceMember>;
    list(workspaceId: string, params?: ListParams, options?: Options): Listing<WorkspaceMember>;
    get(workspaceId: string, userId: string, options?: Options): Promise<WorkspaceMember>;
    update(
      workspaceId: string,
      userId: string,
      change: { readonly workspace_role: WorkspaceRole },
      options?: Options,
    ): Promise<WorkspaceMember>;
    delete(workspaceId: string, userId: string, options?: Options): Promise<{ readonly type: string }>;
  };
  readonly apiKeys: {
    list(
      params?: ListParams & {
        readonly status?: ApiKeyInfo['status'] | undefined;
        readonly workspace_id?: string | undefined;
        readonly created_by_user_id?: string | undefined;
      },
      options?: Options,
    ): Listing<ApiKeyInfo>;
    get(id: string, options?: Options): Promise<ApiKeyInfo>;
    update(
      id: string,
      change: { readonly name?: string | undefined; readonly status?: ApiKeyInfo['status'] | undefined },
      options?: Options,
    ): Promise<ApiKeyInfo>;
  };
  /** Buckets of tokens, over all pages. */
  usageReport(params: UsageReportParams, options?: Options): Listing<ReportBucket<UsageRow>>;
  /** The report of one tool; the reference does not name its path's last part, so the caller does. */
  toolReport(tool: string, params: ReportParams, options?: Options): Listing<Readonly<Record<string, unknown>>>;
  costReport(params: ReportParams, options?: Options): Listing<ReportBucket<CostRow>>;
}
