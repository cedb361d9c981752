import { type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Call, Operation, ReplyInfo, ServiceDialect, Settled } from './contract.ts';
import { WireError } from './errors.ts';

/**
 * The trace of one call: one client span over all attempts and the whole body, an event per repetition. No text, no
 * key, no query.
 */
export interface CallTrace {
  retry(attempt: number, code: string, waitMs: number): void;
  answered(info: ReplyInfo): void;
  settled(actual: Settled): void;
  /** Ends the span; harmless when repeated. */
  end(error?: unknown): void;
}

/**
 * Spans through the API package: free when the program has no tracing set up.
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
 */
export function traceCall(dialect: ServiceDialect, operation: Operation, call: Call, base: URL): CallTrace {
  const model = call.attributes?.['gen_ai.request.model'];
  const name =
    operation.genAi === undefined ? operation.name : operation.genAi + (typeof model === 'string' ? ` ${model}` : '');
  const span: Span = trace.getTracer('ibid/wire').startSpan(name, {
    kind: SpanKind.CLIENT,
    attributes: {
      ...(operation.genAi === undefined ? {} : { 'gen_ai.operation.name': operation.genAi }),
      'gen_ai.provider.name': dialect.provider ?? dialect.service,
      'ibid.operation': operation.name,
      'server.address': base.hostname,
      'server.port': Number(base.port || (base.protocol === 'https:' ? 443 : 80)),
      'http.request.method': operation.method,
      'url.template': operation.path,
      ...mutable(call.attributes ?? {}),
    },
  });
  let ended = false;
  return {
    retry: (attempt, code, waitMs) =>
      void span.addEvent('ibid.retry', {
        'http.request.resend_count': attempt,
        'error.type': code,
        'ibid.wait_ms': waitMs,
      }),
    answered: (info) => {
      span.setAttribute('http.response.status_code', info.status);
      if (info.attempts > 1) span.setAttribute('http.request.resend_count', info.attempts - 1);
      if (info.requestId !== undefined) span.setAttribute('ibid.request_id', info.requestId);
    },
    settled: (actual) => {
      if (actual.inputTokens !== undefined) span.setAttribute('gen_ai.usage.input_tokens', actual.inputTokens);
      if (actual.outputTokens !== undefined) span.setAttribute('gen_ai.usage.output_tokens', actual.outputTokens);
      if (actual.model !== undefined) span.setAttribute('gen_ai.response.model', actual.model);
      if (actual.id !== undefined) span.setAttribute('gen_ai.response.id', actual.id);
      if (actual.finishReasons !== undefined)
        span.setAttribute('gen_ai.response.finish_reasons', [...actual.finishReasons]);
    },
    end: (error) => {
      if (ended) return;
      ended = true;
      if (error !== undefined) {
        const code = error instanceof WireError ? error.code : 'ABORTED';
        span.setAttribute('error.type', code);
        if (error instanceof WireError && error.status !== undefined) {
          span.setAttribute('http.response.status_code', error.status);
        }
        // The code only: a message may quote the service, and the service may quote the user.
        span.setStatus({ code: SpanStatusCode.ERROR, message: code });
      }
      span.end();
    },
  };
}

const mutable = (
  attributes: Readonly<Record<string, string | number | boolean | readonly string[]>>,
): Record<string, string | number | boolean | string[]> =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, typeof value === 'object' ? [...value] : value]),
  );
