import { LONGEST_TIMER_MS, unlessAborted } from '../../core/async.ts';
import { IbidError } from '../../core/errors.ts';
import {
  type Tool,
  type ToolAnswer,
  type ToolResultBlockParam,
  type ToolUseBlock,
  toolResult,
} from '../../wire/messages/index.ts';

/** One call of a tool by a model, and what it was told. */
export interface ToolCallReport {
  readonly toolUse: ToolUseBlock;
  readonly result: ToolResultBlockParam;
  readonly elapsedMs: number;
  /** What the handler threw, as it was thrown. */
  readonly error?: unknown;
}

interface RunToolOptions {
  readonly signal: AbortSignal;
  readonly step: number;
  /** 0: no limit. */
  readonly timeoutMs: number;
}

/**
 * Runs one call and answers it in any case: an unknown tool, an input that does not fit, an error and a timeout are
 * told to the model with `is_error`. Only the run's own abort is thrown.
 */
export async function runTool(
  tools: ReadonlyMap<string, Tool>,
  toolUse: ToolUseBlock,
  { signal, step, timeoutMs }: RunToolOptions,
): Promise<ToolCallReport> {
  const begun = performance.now();
  const report = (answer: ToolAnswer, error?: unknown): ToolCallReport => ({
    toolUse,
    result: toolResult(toolUse.id, answer),
    elapsedMs: performance.now() - begun,
    ...(error === undefined ? {} : { error }),
  });
  const tool = tools.get(toolUse.name);
  if (tool === undefined) {
    const known = [...tools.keys()].join(', ');
    return report({ content: `There is no tool "${toolUse.name}". Tools: ${known}`, isError: true });
  }
  const late = timeoutMs > 0 ? AbortSignal.timeout(Math.min(timeoutMs, LONGEST_TIMER_MS)) : undefined;
  const both = late === undefined ? signal : AbortSignal.any([signal, late]);
  try {
    const context = { signal: both, toolUseId: toolUse.id, step };
    // a handler that does not look at its signal must not hold the run back
    return report(await unlessAborted(async () => tool.run(toolUse.input, context), both));
  } catch (error) {
    signal.throwIfAborted();
    if (late?.aborted) return report({ content: `The tool took longer than ${timeoutMs} ms.`, isError: true }, error);
    const message = error instanceof Error && error.message !== '' ? error.message : String(error);
    return report({ content: `Error: ${message}`, isError: true }, error);
  }
}

/** Tools by name. @throws IbidError INVALID_ARGUMENT when two share one */
export function toolMap(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  const map = new Map<string, Tool>();
  for (const tool of tools) {
    const { name } = tool.definition;
    if (map.has(name)) throw new IbidError('INVALID_ARGUMENT', `two tools are named "${name}"`);
    map.set(name, tool);
  }
  return map;
}
