import type { WireCallOptions } from '../http/contract.ts';
import { type EndpointTable, endpoints } from '../http/endpoint.ts';
import { type MessagesProfile, modelName } from './profile.ts';
import { type Listing, type ListParams, listed, pages } from './wiring.ts';

/** null: not known. */
export interface Capability {
  readonly supported: boolean;
}

export interface ModelCapabilities {
  readonly batch?: Capability | null;
  readonly citations?: Capability | null;
  readonly code_execution?: Capability | null;
  readonly image_input?: Capability | null;
  readonly pdf_input?: Capability | null;
  readonly structured_outputs?: Capability | null;
  readonly thinking?: (Capability & { readonly types?: Readonly<Record<string, Capability | null>> | null }) | null;
  readonly effort?: (Capability & { readonly [level: string]: Capability | boolean | null | undefined }) | null;
  readonly context_management?:
    | (Capability & { readonly [edit: string]: Capability | boolean | null | undefined })
    | null;
}

export interface ModelInfo {
  readonly type: 'model';
  readonly id: string;
  readonly display_name: string;
  readonly created_at: string;
  readonly max_input_tokens?: number | null;
  readonly max_tokens?: number | null;
  readonly capabilities?: ModelCapabilities | null;
}

export interface ModelsClient {
  /** Newest first, all pages. */
  list(params?: ListParams, options?: WireCallOptions): Listing<ModelInfo>;
  get(id: string, options?: WireCallOptions): Promise<ModelInfo>;
}

export const modelsTable: EndpointTable<ModelsClient, MessagesProfile> = endpoints<ModelsClient, MessagesProfile>(
  { service: 'messages', prefix: 'messages.models', group: 'models' },
  {
    list: { at: 'GET /v1/models', query: listed(), pages },
    get: { at: 'GET /v1/models/{id}', spell: ([id], profile) => ({ path: { id: modelName(profile, id) } }) },
  },
);
