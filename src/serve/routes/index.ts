import { version } from '../../core/package-files.ts';
import { chatRoutes } from '../dialects/chat.ts';
import { embeddingsRoute, modelRoutes } from '../dialects/models.ts';
import { responsesRoute } from '../dialects/responses.ts';
import { rawSearchRoute } from '../dialects/search.ts';
import type { Metrics } from '../metrics.ts';
import { openApi } from '../openapi.ts';
import { problemBody } from '../problem.ts';
import type { Readiness } from '../readiness.ts';
import type { Route } from '../route.ts';
import type { Schema } from '../schema.ts';
import type { Watching } from '../watching.ts';
import { askRoute } from './ask.ts';
import { documentRoute, documentsRoute, showRoute, sourceRoute } from './documents.ts';
import { facetsRoute } from './facets.ts';
import { searchRoute } from './search.ts';
import { shardRoute } from './shard.ts';
import { statusRoute } from './status.ts';
import { writeRoutes } from './write.ts';

/** What routes about the server itself tell. */
export interface ServerState {
  isReady(): boolean;
  readonly readiness: Readiness;
  /** Name → value now. */
  gauges(): Readonly<Record<string, number>>;
  readonly metrics: Metrics;
  readonly watching: Watching;
  readonly questionChars: number;
}

/** Every path of a server but those of the page. */
export function allRoutes(state: ServerState): readonly Route[] {
  const own = [
    ...[
      searchRoute,
      askRoute,
      documentsRoute,
      documentRoute,
      showRoute,
      sourceRoute,
      facetsRoute,
      shardRoute,
      statusRoute(state.watching),
      ...writeRoutes,
    ],
  ];
  const dialects = [rawSearchRoute, ...chatRoutes, responsesRoute, embeddingsRoute, ...modelRoutes];
  const bounded = (routes: readonly Route[]): Route[] =>
    routes.map((route) => boundedRoute(route, state.questionChars));
  return [...bounded(own), ...bounded(dialects), mcpRoute, ...aboutServer(state, bounded(own))];
}

/** The route with this server's bound of a question in its schema, which stands in the description too. */
function boundedRoute(route: Route, maxLength: number): Route {
  const { request } = route;
  if (!request?.properties) return route;
  const within = (schema: Schema): Schema => {
    if (schema.anyOf) return { ...schema, anyOf: schema.anyOf.map(within) };
    if (schema.type === 'array') return { ...schema, items: within(schema.items) };
    return schema.type === 'string' ? { ...schema, maxLength } : schema;
  };
  const properties = Object.entries(request.properties).map(([name, schema]) => [
    name,
    name === 'query' || name === 'question' ? within(schema) : schema,
  ]);
  return { ...route, request: { ...request, properties: Object.fromEntries(properties) } };
}

/** The questions in the calls of tools of one message, or of several. */
function questionsOf(messages: unknown): readonly string[] {
  return [messages].flat().flatMap((message) => {
    const { query, question } =
      (message as { params?: { arguments?: Record<string, unknown> } } | null)?.params?.arguments ?? {};
    return [query, question].filter((text) => typeof text === 'string');
  });
}

/** A stateless server has no stream of its own accord: GET is refused, as the protocol says. */
const mcpRoute: Route = {
  path: '/mcp',
  methods: ['POST'],
  summary: 'The Model Context Protocol, streamable HTTP.',
  scope: 'read',
  question: questionsOf,
  handle: async (call) => await (await import('../mcp/http.ts')).answerMcp(call),
};

function aboutServer(state: ServerState, described: readonly Route[]): readonly Route[] {
  const common = { methods: ['GET'], queued: false } as const;
  let description: Buffer | undefined;
  return [
    {
      ...common,
      path: '/health',
      summary: 'The process answers.',
      scope: undefined,
      handle: () => ({ json: { status: 'ok' } }),
    },
    {
      ...common,
      path: '/ready',
      summary:
        'Questions are answered: 503 while indexes are opened, while none can be searched, and while the server stops.',
      scope: undefined,
      handle: async () => {
        if (!state.isReady()) return { json: { ready: false }, status: 503 };
        const problem = await state.readiness.problem();
        return problem ? { json: { ready: false, ...problemBody(problem) }, status: 503 } : { json: { ready: true } };
      },
    },
    {
      ...common,
      path: '/metrics',
      summary: 'Figures for Prometheus.',
      scope: 'admin',
      handle: async () => {
        const searchable = [...(await state.readiness.searchable())];
        const indexes = searchable.map(([name, isSearchable]) => [
          `ibid_index_searchable{index="${name}"}`,
          Number(isSearchable),
        ]);
        const gauges = { ...Object.fromEntries(indexes), ...state.gauges() };
        return { text: state.metrics.text(gauges), type: 'text/plain; version=0.0.4; charset=utf-8' };
      },
    },
    {
      ...common,
      path: '/openapi.json',
      summary: 'This description.',
      scope: undefined,
      handle: () => {
        description ??= Buffer.from(JSON.stringify(openApi(described, version())));
        return { text: description, type: 'application/json' };
      },
    },
  ];
}
