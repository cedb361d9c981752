import type { Exchange, MultipartPart, Reply, Route } from '../contract.ts';
import { anything, list, mapping, record, text } from '../shape.ts';
import { type AudioContext, operation, plain, refuse } from './context.ts';
import { readParts } from './parts.ts';
import { onlyQuery, queryNumber } from './voices.ts';

interface Agent {
  readonly id: string;
  readonly createdAt: number;
  settings: Readonly<Record<string, unknown>>;
}

const settings = {
  'name?': text(),
  'platform_settings?': mapping(anything),
  'workflow?': anything,
  'tags?': list(text()),
} as const;

/** Management calls of conversational agents; conversations themselves are telephone and sockets elsewhere. */
export function agentRoutes(context: AudioContext): Route[] {
  const agents = new Map<string, Agent>();
  const knowledge = new Map<string, { id: string; name: string; type: string }>();
  const conversations = new Map<string, { id: string; agentId: string }>();
  const find = ({ params }: Exchange): Agent => {
    const agent = agents.get(params.id ?? '');
    if (agent === undefined) refuse(context, 404, 'not_found', 'Agent not found', { status: 'agent_not_found' });
    return agent;
  };
  const view = (agent: Agent) => ({
    agent_id: agent.id,
    metadata: { created_at_unix_secs: agent.createdAt, updated_at_unix_secs: agent.createdAt },
    ...agent.settings,
  });
  const document = (name: string, type: string): Reply => {
    const id = context.nextId('document');
    knowledge.set(id, { id, name, type });
    return { json: { id, name, folder_path: [] } };
  };
  const one = '/v1/convai/agents/{id}';
  return [
    operation(context, 'POST', '/v1/convai/agents/create', {
      read: ({ request }) => {
        record({ conversation_config: mapping(anything), ...settings })(request.body, ['body']);
        return request.body as Record<string, unknown>;
      },
      handle: (body) => {
        const agent: Agent = {
          id: context.nextId('agent'),
          createdAt: Math.floor(context.now() / 1000),
          settings: { name: 'Agent', ...body },
        };
        agents.set(agent.id, agent);
        const conversation = { id: context.nextId('conversation'), agentId: agent.id };
        conversations.set(conversation.id, conversation);
        return { json: { agent_id: agent.id } };
      },
    }),
    plain(context, 'GET', '/v1/convai/agents', ({ request }) => {
      const size = queryNumber(request.query, 'page_size', 30, 1, 100);
      const from = Number(request.query.get('cursor') ?? 0);
      const all = [...agents.values()];
      return {
        json: {
          agents: all.slice(from, from + size).map((agent) => ({
            agent_id: agent.id,
            name: agent.settings.name,
            tags: [],
            created_at_unix_secs: agent.createdAt,
            access_info: { is_creator: true, creator_name: 'Test', creator_email: 'test@example.com', role: 'admin' },
          })),
          has_more: from + size < all.length,
          next_cursor: from + size < all.length ? String(from + size) : null,
        },
      };
    }),
    plain(context, 'GET', one, (exchange) => ({ json: view(find(exchange)) })),
    operation(context, 'PATCH', one, {
      read: ({ request }) => {
        record({ 'conversation_config?': mapping(anything), 'version_description?': text(), ...settings })(
          request.body,
          ['body'],
        );
        return request.body as Record<string, unknown>;
      },
      handle: (body, exchange) => {
        const agent = find(exchange);
        agent.settings = { ...agent.settings, ...body };
        return { json: view(agent) };
      },
    }),
    plain(context, 'DELETE', one, (exchange) => {
      agents.delete(find(exchange).id);
      return { json: {} };
    }),
    operation(context, 'POST', '/v1/convai/knowledge-base/text', {
      read: ({ request }) => {
        record({ text: text({ min: 1 }), 'name?': text(), 'parent_folder_id?': text() })(request.body, ['body']);
        return request.body as { name?: string };
      },
      handle: (body) => document(body.name ?? 'text', 'text'),
    }),
    operation(context, 'POST', '/v1/convai/knowledge-base/url', {
      read: ({ request }) => {
        record({ url: text({ pattern: /^https?:\/\// }), 'name?': text(), 'parent_folder_id?': text() })(request.body, [
          'body',
        ]);
        return request.body as { url: string; name?: string };
      },
      handle: (body) => document(body.name ?? body.url, 'url'),
    }),
    operation(context, 'POST', '/v1/convai/knowledge-base/file', {
      read: (exchange) =>
        readParts(exchange, {
          file: { kind: 'file', required: true },
          name: { kind: 'text' },
          parent_folder_id: { kind: 'text' },
        }),
      handle: (values) => document(String(values.name ?? (values.file as MultipartPart).filename), 'file'),
    }),
    plain(context, 'GET', '/v1/convai/conversations', ({ request }) => {
      const agent = request.query.get('agent_id');
      const shown = [...conversations.values()].filter(({ agentId }) => agent === null || agent === agentId);
      return {
        json: {
          conversations: shown.map(({ id, agentId }) => ({
            agent_id: agentId,
            conversation_id: id,
            start_time_unix_secs: Math.floor(context.now() / 1000),
            call_duration_secs: 12,
            message_count: 2,
            status: 'done',
            call_successful: 'success',
          })),
          has_more: false,
          next_cursor: null,
        },
      };
    }),
    plain(context, 'GET', '/v1/convai/conversations/{id}', ({ params }) => {
      const conversation = conversations.get(params.id ?? '');
      if (conversation === undefined) refuse(context, 404, 'not_found', 'Conversation not found');
      return {
        json: {
          agent_id: conversation.agentId,
          conversation_id: conversation.id,
          status: 'done',
          transcript: [
            { role: 'agent', message: 'Hello.', time_in_call_secs: 0 },
            { role: 'user', message: 'Hello, what is in the report?', time_in_call_secs: 2 },
          ],
          metadata: { start_time_unix_secs: Math.floor(context.now() / 1000), call_duration_secs: 12 },
          has_audio: false,
          has_user_audio: false,
          has_response_audio: false,
          has_auxiliary_audio: false,
        },
      };
    }),
    plain(context, 'GET', '/v1/convai/conversation/get-signed-url', ({ request, url }) => {
      onlyQuery(request.query, ['agent_id', 'include_conversation_id']);
      const id = request.query.get('agent_id') ?? '';
      if (!agents.has(id)) refuse(context, 404, 'not_found', 'Agent not found');
      const address = url.replace(/^http/, 'ws');
      return {
        json: {
          signed_url: `${address}/v1/convai/conversation?agent_id=${id}&conversation_signature=${context.nextId('signature')}`,
        },
      };
    }),
  ];
}
