/**
 * The process that is attacked: a program with the clients and an index, which carries out what it is told by its
 * parent and tells how each attempt ended. It catches nothing that a program would not catch: a rejection nobody
 * handles ends it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { setImmediate as immediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import { trace } from '@opentelemetry/api';
import { BasicTracerProvider, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { IbidError } from '../../../src/wire.ts';
import { type Clients, callDoor, type Grounds, openClients, openGrounds, prepare } from './doors.ts';
import { type Attempt, attemptOf, piecesOf } from './plan.ts';

export interface ChildSetup {
  readonly url: string;
  readonly seed: number;
  /** What every key of this run holds. */
  readonly marker: string;
  readonly limitMs: number;
  /** A defect that is put in on purpose. */
  readonly plant?: Plant | undefined;
}

export type Plant = 'hang' | 'crash' | 'leak' | 'redirect' | 'memory' | 'untyped';

export type ToChild = { readonly run: number } | { readonly end: true };

export type FromChild = { readonly ready: true; readonly baseMiB: number } | Told;

export interface Told {
  readonly n: number;
  /** `value`, the code of an error, or `ABORTED`. */
  readonly outcome: string;
  /** Without the time in which the machine or other attempts let nothing run. */
  readonly ms: number;
  /** Set when the error is none of ibid's. */
  readonly untyped?: string | undefined;
  /** Where the key stood. */
  readonly leaks: readonly string[];
  /** The most memory that the process has had so far. */
  readonly peakMiB: number;
  /** Memory now. */
  readonly rssMiB: number;
  /** The longest time since the last attempt that one piece of work took. */
  readonly blockedMs: number;
}

const setup = JSON.parse(process.argv[2] ?? '{}') as ChildSetup; // written by the parent
const { url, marker, limitMs, plant } = setup;
const plan = { seed: setup.seed };

const pieces = piecesOf(marker);
const says = (text: string): boolean => pieces.some((piece) => text.includes(piece));

/** Spans in which the key stood. */
const spanLeaks: string[] = [];
const exporter = {
  export(spans: ReadableSpan[], done: (result: { code: number }) => void) {
    for (const { name, attributes, events, status } of spans) {
      const text = JSON.stringify([name, attributes, events, status]);
      if (says(text)) spanLeaks.push(`the span ${text.slice(0, 600)}`);
    }
    done({ code: 0 });
  },
  shutdown: () => Promise.resolve(),
};
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));

/** Time in which nothing here could run, of all so far, and the longest at once that was this process's own work. */
const stalled = { ms: 0, ownMs: 0 };
const TICK_MS = 25;
let ticked = { at: performance.now(), cpu: process.cpuUsage() };
setInterval(() => {
  const now = { at: performance.now(), cpu: process.cpuUsage() };
  const lateMs = now.at - ticked.at - TICK_MS;
  const cpuMs = (now.cpu.user + now.cpu.system - ticked.cpu.user - ticked.cpu.system) / 1_000;
  if (lateMs > TICK_MS) {
    stalled.ms += lateMs;
    stalled.ownMs = Math.max(stalled.ownMs, Math.min(lateMs, cpuMs));
  }
  ticked = now;
}, TICK_MS).unref();
const MIB = 2 ** 20;
/** The most memory since `forgetPeak`; where there is no /proc, since the start. */
function peakMiB(): number {
  try {
    return Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}

function forgetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // the peak of making the grounds stays, and less is seen
  }
}

/** Whether the error was thrown by the library, rather than by the example that reads an answer of nonsense. */
function isOurs({ stack = '' }: Error): boolean {
  const frame = stack.split('\n').find((line) => /\/(src|node_modules|test|bench)\//.test(line)) ?? '';
  return !/\/(test|bench)\//.test(frame);
}

async function carryOut(attempt: Attempt, clients: Clients, grounds: Grounds, base: string): Promise<unknown> {
  const controller = new AbortController();
  const own = attempt.bySignal ? limitMs : limitMs * 2; // the clients' own limit holds for what has no signal
  const timer = setTimeout(() => controller.abort(new DOMException('late', 'TimeoutError')), own);
  try {
    return await callDoor(attempt.door, base, clients, grounds, { signal: controller.signal, limitMs });
  } finally {
    clearTimeout(timer);
  }
}

async function run(n: number, grounds: Grounds): Promise<Told> {
  const attempt = attemptOf(plan, n);
  const leaks: string[] = [];
  const look = (where: string, value: unknown): void => {
    const texts = [inspect(value, { depth: 8, showHidden: true, maxStringLength: 400_000 }), jsonOf(value)];
    if (value instanceof Error) texts.push(value.stack ?? '', value.message);
    const found = texts.find(says);
    if (found !== undefined) leaks.push(`${where} ${aroundKey(found)}`);
  };
  const base = `${url}/${n}`;
  const apiKey = `sk-/${marker}+${n}`;
  const maxRetries = attempt.repeats ? undefined : 0;
  const onAttempt = (event: unknown): void => look('the hook', event);
  await prepare(attempt.door, grounds);
  const [begun, stalledBefore] = [performance.now(), stalled.ms];
  let outcome = 'value';
  let untyped: string | undefined;
  {
    await using clients = openClients({ baseUrl: base, apiKey, limitMs, maxRetries, onAttempt });
    try {
      const result = await (plant === undefined
        ? carryOut(attempt, clients, grounds, base)
        : planted(plant, attempt, () => carryOut(attempt, clients, grounds, base), base, apiKey));
      if (attempt.door.startsWith('index')) look('the report', result);
    } catch (error) {
      outcome = error instanceof IbidError ? error.code : error instanceof Error ? error.name : 'thrown';
      const isTyped = error instanceof IbidError || (error instanceof DOMException && error.message === 'late');
      if (!isTyped && error instanceof Error && isOurs(error)) untyped = (error.stack ?? '').slice(0, 500);
      look('the error', error);
    }
  }
  const ms = performance.now() - begun - (stalled.ms - stalledBefore);
  leaks.push(...spanLeaks.splice(0));
  if ('polluted' in {}) leaks.push('the prototype of all objects was changed');
  const blockedMs = stalled.ownMs;
  stalled.ownMs = 0;
  const rssMiB = process.memoryUsage.rss() / MIB;
  return { n, outcome, ms, untyped, leaks, peakMiB: peakMiB(), rssMiB, blockedMs };
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}

function aroundKey(text: string): string {
  const at = Math.min(...pieces.map((piece) => text.indexOf(piece)).filter((one) => one >= 0));
  return text.slice(Math.max(0, at - 200), at + 80);
}

const kept: Buffer[] = [];

/** What a careless client would do. */
async function planted(
  kind: Plant,
  attempt: Attempt,
  honestly: () => Promise<unknown>,
  base: string,
  apiKey: string,
): Promise<unknown> {
  if (attempt.n % 10 !== 3) return await honestly();
  if (kind === 'hang') return await new Promise(() => setInterval(() => {}, 1_000));
  if (kind === 'crash') void Promise.reject(new Error('nobody handles this'));
  if (kind === 'leak') throw new IbidError('KEY_REJECTED', `the key ${apiKey} was refused`);
  if (kind === 'untyped')
    throw Object.assign(new TypeError('x of undefined'), {
      stack: 'TypeError: x of undefined\n    at f (/src/x.ts:1:1)',
    });
  if (kind === 'memory')
    for (let i = 0; i < 64; i++) {
      kept.push(Buffer.alloc(16 * MIB, 1));
      // a slow machine would see a blocked event loop instead
      await immediate();
    }
  if (kind === 'redirect') await fetch(`${base}/models`, { headers: { 'x-api-key': apiKey } }).catch(() => {});
  return await honestly();
}

const send = (message: FromChild): void => void process.send?.(message);

if (process.send) {
  const grounds = openGrounds(`${url}/honest`);
  process.on('message', async (message: ToChild) => {
    if ('run' in message) return send(await run(message.run, grounds));
    await grounds[Symbol.asyncDispose]();
    process.disconnect?.();
    process.exit(0);
  });
  // the parent has gone
  process.on('disconnect', () => process.exit(1));
  forgetPeak();
  send({ ready: true, baseMiB: peakMiB() });
}
