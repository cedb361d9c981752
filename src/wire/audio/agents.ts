import { anything, record, requireChange } from '../http/check.ts';
import type { WireCallOptions } from '../http/contract.ts';
import { type Acknowledged, acknowledged } from './acknowledged.ts';
import type { Answer, AudioRows } from './context.ts';
import { fieldParts, filePart, type Upload } from './upload.ts';

/** The configuration is large and changes with the service; it goes through as it is. */
export interface AgentRequest {
  readonly conversation_config: Readonly<Record<string, unknown>>;
  readonly platform_settings?: Readonly<Record<string, unknown>> | undefined;
  readonly name?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

export interface Agent {
  readonly agent_id: string;
  readonly name?: string | null | undefined;
  readonly conversation_config?: Readonly<Record<string, unknown>> | null | undefined;
}

export interface KnowledgeDocument {
  readonly id: string;
  readonly name?: string | null | undefined;
}

export interface ConversationQuery {
  readonly agent_id?: string | undefined;
  readonly cursor?: string | undefined;
  /** 1 to 100. @default 30 */
  readonly page_size?: number | undefined;
  readonly call_successful?: 'success' | 'failure' | 'unknown' | undefined;
}

export interface ConversationSummary {
  readonly conversation_id: string;
  readonly agent_id?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly start_time_unix_secs?: number | null | undefined;
  readonly call_duration_secs?: number | null | undefined;
}

export interface ConversationPage {
  readonly conversations: readonly ConversationSummary[];
  readonly next_cursor?: string | null | undefined;
  readonly has_more: boolean;
}

export interface Conversation extends ConversationSummary {
  readonly transcript?: readonly Readonly<Record<string, unknown>>[] | null | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
  readonly analysis?: Readonly<Record<string, unknown>> | null | undefined;
}

/** Management of conversational agents; the conversation itself runs over the signed address. */
export interface AgentsApi {
  create(request: AgentRequest, options?: WireCallOptions): Answer<{ readonly agent_id: string }>;
  list(
    query?: {
      readonly cursor?: string | undefined;
      readonly page_size?: number | undefined;
      readonly search?: string | undefined;
    },
    options?: WireCallOptions,
  ): Answer<{
    readonly agents: readonly Agent[];
    readonly next_cursor?: string | null | undefined;
    readonly has_more: boolean;
  }>;
  get(agentId: string, options?: WireCallOptions): Answer<Agent>;
  update(agentId: string, request: Partial<AgentRequest>, options?: WireCallOptions): Answer<Agent>;
  delete(agentId: string, options?: WireCallOptions): Acknowledged;
  /** A WebSocket address for one conversation, for clients that must not see the key. */
  signedUrl(agentId: string, options?: WireCallOptions): Answer<{ readonly signed_url: string }>;
  readonly knowledge: {
    addFile(
      request: { readonly file: Upload; readonly name?: string | undefined },
      options?: WireCallOptions,
    ): Answer<KnowledgeDocument>;
    addText(
      request: { readonly text: string; readonly name?: string | undefined },
      options?: WireCallOptions,
    ): Answer<KnowledgeDocument>;
    addUrl(
      request: { readonly url: string; readonly name?: string | undefined },
      options?: WireCallOptions,
    ): Answer<KnowledgeDocument>;
  };
  readonly conversations: {
    list(query?: ConversationQuery, options?: WireCallOptions): Answer<ConversationPage>;
    get(conversationId: string, options?: WireCallOptions): Answer<Conversation>;
  };
}

const agent = { agent_id: 'string' } as const;
const document = { id: 'string' } as const;
const conversation = { conversation_id: 'string' } as const;

export const agentRows: AudioRows<AgentsApi> = {
  create: { at: 'POST /v1/convai/agents/create', json: record, answer: agent },
  list: { at: 'GET /v1/convai/agents', query: record, answer: { agents: [agent], has_more: 'boolean' } },
  get: { at: 'GET /v1/convai/agents/{agent_id}', answer: agent },
  update: { at: 'PATCH /v1/convai/agents/{agent_id}', json: (_, change) => requireChange(change), answer: agent },
  delete: { at: 'DELETE /v1/convai/agents/{agent_id}', answer: acknowledged },
  signedUrl: {
    at: 'GET /v1/convai/conversation/get-signed-url',
    query: anything,
    spell: ([agentId]) => ({ query: { agent_id: agentId } }),
    answer: { signed_url: 'string' },
  },
  knowledge: {
    addFile: {
      at: 'POST /v1/convai/knowledge-base/file',
      form: ([{ file, name }]) => [...fieldParts({ name }), filePart('file', file, 'document')],
      answer: document,
    },
    addText: { at: 'POST /v1/convai/knowledge-base/text', json: record, answer: document },
    addUrl: { at: 'POST /v1/convai/knowledge-base/url', json: record, answer: document },
  },
  conversations: {
    list: {
      at: 'GET /v1/convai/conversations',
      query: record,
      answer: { conversations: [conversation], has_more: 'boolean' },
    },
    get: { at: 'GET /v1/convai/conversations/{conversation_id}', answer: conversation },
  },
};
