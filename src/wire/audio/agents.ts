import type { Call, Operation, WireCallOptions } from '../http/contract.ts';
import { acknowledged, checkRange, checkUrl, invalid, requireId, requireText, shaped, shapedList } from './check.ts';
import type { AudioContext, WithInfo } from './context.ts';
import { withInfo } from './context.ts';
import { audioOperations as operations } from './operations.ts';
import type { Upload } from './upload.ts';
import { fieldParts, filePart } from './upload.ts';

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
  create(request: AgentRequest, options?: WireCallOptions): Promise<WithInfo<{ readonly agent_id: string }>>;
  list(
    query?: {
      readonly cursor?: string | undefined;
      readonly page_size?: number | undefined;
      readonly search?: string | undefined;
    },
    options?: WireCallOptions,
  ): Promise<
    WithInfo<{
      readonly agents: readonly Agent[];
      readonly next_cursor?: string | null | undefined;
      readonly has_more: boolean;
    }>
  >;
  get(agentId: string, options?: WireCallOptions): Promise<WithInfo<Agent>>;
  update(agentId: string, request: Partial<AgentRequest>, options?: WireCallOptions): Promise<WithInfo<Agent>>;
  delete(agentId: string, options?: WireCallOptions): Promise<{ readonly status: string }>;
  /** A WebSocket address for one conversation, for clients that must not see the key. */
  signedUrl(agentId: string, options?: WireCallOptions): Promise<WithInfo<{ readonly signed_url: string }>>;
  readonly knowledge: {
    addFile(
      request: { readonly file: Upload; readonly name?: string | undefined },
      options?: WireCallOptions,
    ): Promise<WithInfo<KnowledgeDocument>>;
    addText(
      request: { readonly text: string; readonly name?: string | undefined },
      options?: WireCallOptions,
    ): Promise<WithInfo<KnowledgeDocument>>;
    addUrl(
      request: { readonly url: string; readonly name?: string | undefined },
      options?: WireCallOptions,
    ): Promise<WithInfo<KnowledgeDocument>>;
  };
  readonly conversations: {
    list(query?: ConversationQuery, options?: WireCallOptions): Promise<WithInfo<ConversationPage>>;
    get(conversationId: string, options?: WireCallOptions): Promise<WithInfo<Conversation>>;
  };
}

export function agentsApi(context: AudioContext): AgentsApi {
  const { transport } = context;
  const at = (id: string): { readonly agent_id: string } => ({ agent_id: requireId('agent_id', id) });
  const document = async (operation: Operation, call: Call): Promise<WithInfo<KnowledgeDocument>> => {
    const reply = await transport.json(operation, call);
    return withInfo(context, reply, shaped<KnowledgeDocument>(reply.body, operation, { id: 'string' }));
  };
  return {
    async create(request, options) {
      const config: unknown = request.conversation_config;
      if (typeof config !== 'object' || config === null)
        throw invalid('conversation_config', 'is missing or not an object');
      const reply = await transport.json(operations.agentCreate, { json: { ...request }, options });
      return withInfo(context, reply, shaped(reply.body, operations.agentCreate, { agent_id: 'string' }));
    },
    async list(query = {}, options) {
      checkRange('page_size', query.page_size, 1, 100, true);
      const reply = await transport.json(operations.agentList, { query: { ...query }, options });
      const page = shaped<{ agents: readonly Agent[]; has_more: boolean }>(reply.body, operations.agentList, {
        agents: 'array',
        has_more: 'boolean',
      });
      shapedList<Agent>(page.agents, operations.agentList, { agent_id: 'string' }, 'agents');
      return withInfo(context, reply, page);
    },
    async get(agentId, options) {
      const reply = await transport.json(operations.agentGet, { path: at(agentId), options });
      return withInfo(context, reply, shaped<Agent>(reply.body, operations.agentGet, { agent_id: 'string' }));
    },
    async update(agentId, request, options) {
      if (Object.values(request).every((value) => value === undefined)) throw invalid('request', 'changes nothing');
      const reply = await transport.json(operations.agentUpdate, { path: at(agentId), json: { ...request }, options });
      return withInfo(context, reply, shaped<Agent>(reply.body, operations.agentUpdate, { agent_id: 'string' }));
    },
    async delete(agentId, options) {
      return acknowledged(await transport.json(operations.agentDelete, { path: at(agentId), options }));
    },
    async signedUrl(agentId, options) {
      const reply = await transport.json(operations.agentSignedUrl, { query: at(agentId), options });
      return withInfo(context, reply, shaped(reply.body, operations.agentSignedUrl, { signed_url: 'string' }));
    },
    knowledge: {
      addFile: async ({ file, name }, options) =>
        document(operations.knowledgeFile, {
          form: [...fieldParts({ name }), filePart('file', file, 'document')],
          options,
        }),
      async addText(request, options) {
        requireText('text', request.text);
        return document(operations.knowledgeText, { json: { ...request }, options });
      },
      async addUrl(request, options) {
        requireText('url', request.url);
        checkUrl('url', request.url);
        return document(operations.knowledgeUrl, { json: { ...request }, options });
      },
    },
    conversations: {
      async list(query = {}, options) {
        checkRange('page_size', query.page_size, 1, 100, true);
        const reply = await transport.json(operations.conversations, { query: { ...query }, options });
        const shape = { conversations: 'array', has_more: 'boolean' } as const;
        const page = shaped<ConversationPage>(reply.body, operations.conversations, shape);
        shapedList<ConversationSummary>(
          page.conversations,
          operations.conversations,
          { conversation_id: 'string' },
          'conversations',
        );
        return withInfo(context, reply, page);
      },
      async get(conversationId, options) {
        const path = { conversation_id: requireId('conversation_id', conversationId) };
        const reply = await transport.json(operations.conversation, { path, options });
        return withInfo(
          context,
          reply,
          shaped<Conversation>(reply.body, operations.conversation, { conversation_id: 'string' }),
        );
      },
    },
  };
}
