import type { Exchange, MultipartPart, Reply, Route } from '../contract.ts';
import { anything, list, mapping, record, text } from '../shape.ts';
import { type AudioContext, operation, plain } from './context.ts';
import { readParts } from './parts.ts';
import { found, onlyQuery, pageOf, taking } from './reading.ts';

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

const creation = record({ conversation_config: mapping(anything), ...settings });
const change = record({ 'conversation_config?': mapping(anything), 'version_description?': text(), ...settings });
const documentFields = { 'name?': text(), 'parent_folder_id?': text() } as const;
const knownText = record({ text: text({ min: 1 }), ...documentFields });
const knownUrl = record({ url: text({ pattern: /^https?:\/\// }), ...documentFields });

/** Management calls of conversational agents; conversations themselves are telephone and sockets elsewhere. */
export function agentRoutes(context: AudioContext): Route[] {
  const agents = new Map<string, Agent>();
  const knowledge = new Map<string, { id: string; name: string; type: string }>();
  const conversations = new Map<string, { id: string; agentId: string }>();
  const find = ({ params }: Exchange): Agent => found(context, agents, params.id, 'Agent', 'agent_not_found');
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
    taking(context, 'POST', '/v1/convai/agents/create', creation, (body: Agent['settings']) => {
      const agent: Agent = {
        id: context.nextId('agent'),
        createdAt: Math.floor(context.now() / 1000),
        settings: { name: 'Agent', ...body },
      };
      agents.set(agent.id, agent);
      const conversation = { id: context.nextId('conversation'), agentId: agent.id };
      conversations.set(conversation.id, conversation);
      return { json: { agent_id: agent.id } };
    }),
    plain(context, 'GET', '/v1/convai/agents', ({ request }) => {
      const { shown, has_more, next } = pageOf([...agents.values()], request.query);
      const access_info = { is_creator: true, creator_name: 'Test', creator_email: 'test@example.com', role: 'admin' };
      const rows = shown.map(({ id, createdAt, settings: { name } }) => ({
        agent_id: id,
        name,
        tags: [],
        created_at_unix_secs: createdAt,
        access_info,
      }));
      return { json: { agents: rows, has_more, next_cursor: next } };
    }),
    plain(context, 'GET', one, (exchange) => ({ json: view(find(exchange)) })),
    taking(context, 'PATCH', one, change, (body: Agent['settings'], exchange) => {
      const agent = find(exchange);
      agent.settings = { ...agent.settings, ...body };
      return { json: view(agent) };
    }),
    plain(context, 'DELETE', one, (exchange) => {
      agents.delete(find(exchange).id);
      return { json: {} };
    }),
    taking(context, 'POST', '/v1/convai/knowledge-base/text', knownText, (body: { name?: string }) =>
      document(body.name ?? 'text', 'text'),
    ),
    taking(context, 'POST', '/v1/convai/knowledge-base/url', knownUrl, (body: { url: string; name?: string }) =>
      document(body.name ?? body.url, 'url'),
    ),
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
      const conversation = found(context, conversations, params.id, 'Conversation');
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
      const { id } = found(context, agents, request.query.get('agent_id') ?? '', 'Agent');
      const address = url.replace(/^http/, 'ws');
      return {
        json: {
          signed_url: `${address}/v1/convai/conversation?agent_id=${id}&conversation_signature=${context.nextId('signature')}`,
        },
      };
    }),
  ];
}
