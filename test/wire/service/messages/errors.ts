import { Refusal, type Reply } from '../contract.ts';

/** Error types by status, as the reference lists them. */
const types: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  405: 'invalid_request_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

function errorType(status: number): string {
  return types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
}

let serial = 0;

/** The error envelope; its request id is the one of the response header. */
export function errorReply(status: number, message: string, details?: unknown): Reply {
  const id = `req_e${String(++serial).padStart(6, '0')}`;
  return {
    status,
    headers: { 'request-id': id },
    json: {
      type: 'error',
      error: { type: errorType(status), message, ...(details === undefined ? {} : { details }) },
      request_id: id,
    },
  };
}

export function refuse(status: number, message: string, details?: unknown): never {
  throw new Refusal(errorReply(status, message, details), `${status}: ${message}`);
}

/** 400 with the path of what is wrong in front, as the service words it. */
export function refuseField(path: string, message: string): never {
  return refuse(400, path === '' ? message : `${path}: ${message}`);
}
