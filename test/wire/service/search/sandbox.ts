import type { Exchange, Reply, Route } from '../contract.ts';
import { flag, integer, oneOf, record, text } from '../shape.ts';
import { checkBody, keyed, refuse, type SearchContext } from './context.ts';

interface Session {
  readonly id: string;
  readonly network: boolean;
  status: 'running' | 'paused';
  readonly files: Map<string, string>;
  readonly modified: Set<string>;
  readonly processes: Map<string, string>;
}

const ROOT = '/v1/sandbox/sessions';

const execution = record({
  code: text({ min: 1 }),
  language: oneOf('python', 'bash'),
  'background?': flag,
  'execution_timeout?': integer(1, 120),
});

const isBase64 = (value: string): boolean => Buffer.from(value, 'base64').toString('base64') === value;

/** Runs no code: `print`/`echo` of a literal prints it, `exit n` ends with n, all else prints nothing. */
function pretendToRun(code: string): { stdout: string; stderr: string; exitCode: number } {
  const printed = [...code.matchAll(/(?:print\(|echo\s+)["']([^"']*)["']/g)].map((match) => `${match[1]}\n`).join('');
  const exitCode = Number(/exit\(?\s*(\d+)/.exec(code)?.[1] ?? 0);
  return { stdout: printed, stderr: exitCode === 0 ? '' : `exited with ${exitCode}\n`, exitCode };
}

export function sandboxRoutes(context: SearchContext): Route[] {
  const sessions = new Map<string, Session>();

  const find = ({ params }: Exchange): Session => {
    const session = sessions.get(params.id ?? '');
    if (session === undefined) refuse(404, 'not_found', `Session '${params.id}' not found`);
    return session;
  };

  const view = (session: Session, url: string): Reply => ({
    json: {
      session_id: session.id,
      status: session.status,
      network_enabled: session.network,
      execute_url: `${url}${ROOT}/${session.id}/execute`,
    },
  });

  function execute(exchange: Exchange): Reply {
    const session = find(exchange);
    const body = checkBody(context, exchange.request.body, execution, true);
    const code = String(body.code);
    if (!isBase64(code)) refuse(400, 'invalid_request', 'code must be base64', 'code');
    if (session.status === 'paused') refuse(409, 'conflict', 'session is paused');
    const ran = pretendToRun(Buffer.from(code, 'base64').toString('utf8'));
    const process = context.nextId('pid');
    if (body.background === true) session.processes.set(process, Buffer.from(code, 'base64').toString('utf8'));
    return {
      json: {
        success: ran.exitCode === 0,
        stdout: ran.stdout,
        stderr: ran.stderr,
        exit_code: ran.exitCode,
        execution_time_ms: 12,
        output: ran.stdout === '' ? [] : [{ type: 'text', content: ran.stdout }],
        ...(body.background === true ? { is_background: true, process_id: process } : {}),
      },
    };
  }

  function writeFile(exchange: Exchange): Reply {
    const session = find(exchange);
    const { path, content } = checkBody(
      context,
      exchange.request.body,
      record({ path: text({ min: 1 }), content: text() }),
      true,
    );
    if (!isBase64(String(content))) refuse(400, 'invalid_request', 'content must be base64', 'content');
    session.files.set(String(path), String(content));
    session.modified.add(String(path));
    return { json: { path, success: true } };
  }

  function readFile(exchange: Exchange): Reply {
    const path = exchange.request.query.get('path') ?? '';
    const content = find(exchange).files.get(path);
    if (content === undefined) refuse(404, 'not_found', `File '${path}' not found`, 'path');
    return { json: { path, content, size: Buffer.from(content, 'base64').length } };
  }

  return [
    keyed(context, 'POST', ROOT, ({ request, url }) => {
      const body =
        request.body === undefined ? {} : checkBody(context, request.body, record({ 'network_enabled?': flag }), true);
      const session: Session = {
        id: context.nextId('sandbox'),
        network: body.network_enabled === true,
        status: 'running',
        files: new Map(),
        modified: new Set(),
        processes: new Map(),
      };
      sessions.set(session.id, session);
      return view(session, url);
    }),
    keyed(context, 'GET', `${ROOT}/{id}`, (exchange) => view(find(exchange), exchange.url)),
    keyed(context, 'DELETE', `${ROOT}/{id}`, (exchange) => {
      sessions.delete(find(exchange).id);
      return { status: 204 };
    }),
    keyed(context, 'POST', `${ROOT}/{id}/execute`, execute),
    ...(['pause', 'resume'] as const).map((verb) =>
      keyed(context, 'POST', `${ROOT}/{id}/${verb}`, (exchange) => {
        const session = find(exchange);
        session.status = verb === 'pause' ? 'paused' : 'running';
        return view(session, exchange.url);
      }),
    ),
    keyed(context, 'GET', `${ROOT}/{id}/files`, readFile),
    keyed(context, 'POST', `${ROOT}/{id}/files`, writeFile),
    keyed(context, 'GET', `${ROOT}/{id}/files/list`, (exchange) => ({
      json: {
        entries: [...find(exchange).files].map(([path, content]) => ({
          path,
          size: Buffer.from(content, 'base64').length,
          type: 'file',
        })),
      },
    })),
    keyed(context, 'GET', `${ROOT}/{id}/files/modified`, (exchange) => ({
      json: { files: [...find(exchange).modified] },
    })),
    keyed(context, 'GET', `${ROOT}/{id}/processes`, (exchange) => ({
      json: {
        processes: [...find(exchange).processes].map(([pid, command]) => ({ pid, command, status: 'running' })),
      },
    })),
    keyed(context, 'GET', `${ROOT}/{id}/processes/{pid}`, (exchange) => {
      const command = find(exchange).processes.get(exchange.params.pid ?? '');
      if (command === undefined) refuse(404, 'not_found', `Process '${exchange.params.pid}' not found`);
      return { json: { pid: exchange.params.pid, command, status: 'running' } };
    }),
    keyed(context, 'DELETE', `${ROOT}/{id}/processes/{pid}`, (exchange) => {
      if (!find(exchange).processes.delete(exchange.params.pid ?? '')) {
        refuse(404, 'not_found', `Process '${exchange.params.pid}' not found`);
      }
      return { status: 204 };
    }),
  ];
}
