import type { WireCallOptions } from '../http/contract.ts';
import type { Open } from './parse.ts';

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
  readonly output?: readonly (Open & { readonly type?: string; readonly content?: unknown })[];
  readonly error?: string | null;
  readonly is_background?: boolean;
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
 * Code in a container of the service. **Experimental**: the reference shows no interface, and the public one is
 * unpublished; it may change or vanish. Needs `experimental: { sandbox: true }`. The research tool `{type: 'sandbox'}`
 * needs no flag.
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
