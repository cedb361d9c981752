import type { Call } from '../route.ts';
import type { AnyObjectSchema } from '../schema.ts';
import type { Scope } from '../tokens.ts';

/** The parts that a tool needs. */
export type ToolCall = Pick<Call, 'access' | 'indexes' | 'signal'>;

/** The result of a tool: short text for the model, and the same content as data for programs. */
interface ToolResult {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
}

export interface Tool<T = unknown> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: Scope;
  readonly input: AnyObjectSchema;
  readonly output: AnyObjectSchema;
  run(input: T, call: ToolCall): Promise<ToolResult>;
}

/** Keeps the type of a tool's input, which its schema proves. */
export function tool<T>(definition: Tool<T>): Tool {
  return definition as Tool; // the input is checked before the tool runs
}
