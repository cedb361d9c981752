import { AsyncLocalStorage } from 'node:async_hooks';
import { type Attributes, type Context, context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { IbidError } from '../core/errors.ts';
import { type Stage, stages } from '../core/stages.ts';

/** The span of a request or of a stage, in which further stages begin. */
const around = new AsyncLocalStorage<Context>();
const ofStages = new WeakMap<Stage, Span>();
const tracer = () => trace.getTracer('ibid/serve');

export function requestSpan(name: string, attributes: Attributes): Span {
  return tracer().startSpan(name, { kind: SpanKind.SERVER, attributes });
}

/** Stages, and calls of services, become children of the span. */
export async function inSpan<T>(span: Span, work: () => Promise<T>): Promise<T> {
  const inside = trace.setSpan(context.active(), span);
  return await context.with(inside, () => around.run(inside, work));
}

/** The span of a stage; undefined outside of a request, where nobody asked for one. */
function spanOf(stage: Stage): Span | undefined {
  const parent = around.getStore();
  if (!ofStages.has(stage) && parent) ofStages.set(stage, tracer().startSpan(stage.name, {}, parent));
  return ofStages.get(stage);
}

const listeners = {
  start: (stage: Stage): void => void spanOf(stage),
  end: (): void => undefined,
  asyncStart: (): void => undefined,
  asyncEnd: (stage: Stage): void => {
    const span = ofStages.get(stage);
    if (stage.error !== undefined) {
      const code = stage.error instanceof IbidError ? stage.error.code : 'OTHER';
      span?.setAttribute('error.type', code);
      span?.setStatus({ code: SpanStatusCode.ERROR, message: code });
    }
    span?.end();
  },
  error: (): void => undefined,
};

let servers = 0;

/** Makes spans of stages as long as a server runs. @returns what ends that */
export function followStages(): () => void {
  if (servers++ === 0) {
    stages.subscribe(listeners);
    stages.start.bindStore(around, (stage) => {
      const span = spanOf(stage);
      const parent = around.getStore();
      return span && parent ? trace.setSpan(parent, span) : (parent as Context);
    });
  }
  return () => {
    if (--servers > 0) return;
    stages.unsubscribe(listeners);
    stages.start.unbindStore(around);
  };
}
