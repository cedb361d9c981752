import type { Call, WireCallOptions } from '../http/contract.ts';
import { checkBoolean, checkInteger, checkKnown, checkOneOf, checkRecord, checkText, refuse } from './check.ts';
import { infoOf, type SearchContext } from './context.ts';
import { invalid, type Where } from './failures.ts';
import type { SearchOperationName } from './operations.ts';
import { type Open, optionalNumber, recordOf, records, textOf, texts } from './parse.ts';
import { defined } from './serialise.ts';

export interface SandboxSession extends Open {
  readonly session_id: string;
  readonly status?: 'pending' | 'running' | 'paused' | 'succeeded' | 'failed' | 'unknown' | (string & {});
  readonly network_enabled?: boolean;
  readonly execute_url?: string;
}

export interface SandboxExecution {
  /** Plain text; it is encoded for the wire here. */
  readonly code: string;
  readonly language: 'python' | 'bash';
  readonly background?: boolean | undefined;
  /** Seconds, at most 120. */
  readonly execution_timeout?: number | undefined;
}

/** A non-zero `exit_code` is a result, not an error. */
export interface SandboxResult extends Open {
  readonly success?: boolean;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exit_code?: number;
  readonly execution_time_ms?: number;
  readonly process_id?: string | number;
}

export interface SandboxFile {
  readonly path: string;
  readonly content: Uint8Array;
}

export interface SandboxEntry extends Open {
  readonly path?: string;
  readonly size?: number;
  readonly type?: string;
}

export interface SandboxProcess extends Open {
  readonly pid?: string | number;
  readonly command?: string;
  readonly status?: string;
}

/**
 * Code in a container of the service. **Experimental**: the reference shows no interface, and the public one is unpublished; it may
 * change or vanish. Needs `experimental: { sandbox: true }`. The research tool `{type: 'sandbox'}` needs no flag.
 */
export interface Sandbox {
  create(
    request?: { readonly network_enabled?: boolean | undefined },
    options?: WireCallOptions,
  ): Promise<SandboxSession>;
  get(sessionId: string, options?: WireCallOptions): Promise<SandboxSession>;
  delete(sessionId: string, options?: WireCallOptions): Promise<void>;
  execute(sessionId: string, request: SandboxExecution, options?: WireCallOptions): Promise<SandboxResult>;
  pause(sessionId: string, options?: WireCallOptions): Promise<Open>;
  resume(sessionId: string, options?: WireCallOptions): Promise<Open>;
  readFile(sessionId: string, path: string, options?: WireCallOptions): Promise<SandboxFile>;
  writeFile(sessionId: string, path: string, content: string | Uint8Array, options?: WireCallOptions): Promise<Open>;
  listFiles(sessionId: string, options?: WireCallOptions): Promise<readonly SandboxEntry[]>;
  modifiedFiles(sessionId: string, options?: WireCallOptions): Promise<readonly string[]>;
  processes(sessionId: string, options?: WireCallOptions): Promise<readonly SandboxProcess[]>;
  process(sessionId: string, pid: string | number, options?: WireCallOptions): Promise<SandboxProcess>;
  /** Ends a process. */
  kill(sessionId: string, pid: string | number, options?: WireCallOptions): Promise<void>;
}

const maxTimeoutSeconds = 120;

export function sandbox(context: SearchContext, enabled: boolean): Sandbox {
  const { transport, operations } = context;

  /** The body, `undefined` when it is empty. */
  const send = async (
    name: SearchOperationName,
    path: Readonly<Record<string, string | number>>,
    call: Omit<Call, 'path'>,
  ): Promise<{ where: Where; body: unknown }> => {
    if (!enabled) {
      refuse(
        'experimental.sandbox',
        `must be true for ${name}`,
        'Its interface is unpublished and may change or vanish.',
      );
    }
    for (const [field, value] of Object.entries(path)) {
      if (typeof value === 'number') checkInteger(field, value, 0, Number.MAX_SAFE_INTEGER);
      else checkText(field, value);
    }
    const operation = operations[name];
    const texts = Object.fromEntries(Object.entries(path).map(([field, value]) => [field, String(value)]));
    const reply = await transport.json(operation, { ...call, path: texts });
    return { where: { operation, info: infoOf(reply) }, body: reply.body };
  };

  const session = ({ where, body }: { where: Where; body: unknown }): SandboxSession => {
    const fields = recordOf(where, 'the body', body);
    return { ...fields, session_id: textOf(where, 'session_id', fields.session_id) };
  };

  const list = (
    { where, body }: { where: Where; body: unknown },
    field: string,
  ): readonly Record<string, unknown>[] => {
    const value = recordOf(where, 'the body', body)[field];
    if (!Array.isArray(value)) throw invalid(where, `${field} is not an array`);
    return records(value);
  };

  const object = ({ where, body }: { where: Where; body: unknown }): Record<string, unknown> =>
    body === undefined ? {} : recordOf(where, 'the body', body);

  return {
    async create(request = {}, options) {
      checkKnown('', request, ['network_enabled']);
      checkBoolean('network_enabled', request.network_enabled);
      return session(await send('sandbox.create', {}, { json: defined(request), options }));
    },
    async get(session_id, options) {
      return session(await send('sandbox.get', { session_id }, { options }));
    },
    async delete(session_id, options) {
      await send('sandbox.delete', { session_id }, { options });
    },
    async execute(session_id, request, options) {
      checkRecord('request', request);
      checkKnown('', request, ['code', 'language', 'background', 'execution_timeout']);
      checkText('code', request.code);
      checkOneOf('language', request.language ?? null, ['python', 'bash']);
      checkBoolean('background', request.background);
      checkInteger('execution_timeout', request.execution_timeout, 1, maxTimeoutSeconds);
      const json = defined({ ...request, code: Buffer.from(request.code, 'utf8').toString('base64') });
      return object(await send('sandbox.execute', { session_id }, { json, options }));
    },
    async pause(session_id, options) {
      return object(await send('sandbox.pause', { session_id }, { options }));
    },
    async resume(session_id, options) {
      return object(await send('sandbox.resume', { session_id }, { options }));
    },
    async readFile(session_id, path, options) {
      checkText('path', path);
      const { where, body } = await send('sandbox.readFile', { session_id }, { query: { path }, options });
      const fields = recordOf(where, 'the body', body);
      const content = Uint8Array.from(Buffer.from(textOf(where, 'content', fields.content), 'base64'));
      const size = optionalNumber(fields.size);
      if (size !== undefined && size !== content.length) {
        throw invalid(where, `content has ${content.length} bytes, size says ${size}`);
      }
      return { path, content };
    },
    async writeFile(session_id, path, content, options) {
      checkText('path', path);
      if (typeof content !== 'string' && !(content instanceof Uint8Array))
        refuse('content', 'must be a string or bytes');
      const json = { path, content: Buffer.from(content as Uint8Array).toString('base64') };
      return object(await send('sandbox.writeFile', { session_id }, { json, options }));
    },
    async listFiles(session_id, options) {
      return list(await send('sandbox.listFiles', { session_id }, { options }), 'entries');
    },
    async modifiedFiles(session_id, options) {
      const reply = await send('sandbox.modifiedFiles', { session_id }, { options });
      return texts(recordOf(reply.where, 'the body', reply.body).files);
    },
    async processes(session_id, options) {
      return list(await send('sandbox.processes', { session_id }, { options }), 'processes');
    },
    async process(session_id, pid, options) {
      return object(await send('sandbox.process', { session_id, pid }, { options }));
    },
    async kill(session_id, pid, options) {
      await send('sandbox.kill', { session_id, pid }, { options });
    },
  };
}
