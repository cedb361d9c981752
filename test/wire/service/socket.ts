import type { WebSocket } from 'ws';
import type { RecordedRequest, ServedSocket } from './contract.ts';
import { type Fault, find } from './faults.ts';

/**
 * The server end of a WebSocket with its scripted faults: `closeSocket`, `dropSocket`, `stall` (`afterEvents` counts
 * messages sent) and `delay` (before the first message).
 */
export function serveSocket(
  ws: WebSocket,
  record: RecordedRequest,
  faults: readonly Fault[],
  closing: AbortSignal,
  defect: (error: unknown) => void,
): ServedSocket {
  const close = find(faults, 'closeSocket');
  const drop = find(faults, 'dropSocket');
  const stall = find(faults, 'stall');
  const delay = find(faults, 'delay');
  let sent = 0;
  let ready: Promise<void> | undefined = delay === undefined ? undefined : wait(delay.ms, closing);
  const fault = (): boolean => {
    if (close?.afterMessages === sent) ws.close(close.code, close.reason ?? '');
    else if (drop?.afterMessages === sent) ws.terminate();
    else return stall !== undefined && sent >= (stall.afterEvents ?? 0);
    return true;
  };
  const put = (message: string | Uint8Array): void => {
    if (ws.readyState !== ws.OPEN || fault()) return;
    ws.send(message);
    sent += 1;
    fault();
  };
  const queue = (task: () => void): void => {
    if (ready === undefined) {
      task();
      return;
    }
    ready = ready.then(task);
    ready.catch(defect);
  };
  ws.on('error', () => undefined);
  const listeners: ((message: string | Buffer) => void)[] = [];
  ws.on('message', (data, isBinary) => {
    const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data);
    const message = isBinary ? bytes : bytes.toString('utf8');
    record.frames.push(message);
    for (const listener of listeners) {
      try {
        listener(message);
      } catch (error) {
        defect(error);
        ws.terminate();
      }
    }
  });
  return {
    raw: ws,
    send: (message) => queue(() => put(message)),
    close: (code, reason) => queue(() => ws.close(code ?? 1000, reason ?? '')),
    onMessage: (listener) => void listeners.push(listener),
    onClose: (listener) => void ws.on('close', (code, reason) => listener(code, reason.toString('utf8'))),
  };
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });
}
