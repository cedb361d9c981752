import { unlessAborted } from '../../core/async.ts';
import { IbidError } from '../../core/errors.ts';
import { type McpCall, type McpTool, type Tool, toolsFromMcp } from '../../wire/messages/index.ts';

/** A server of the Model Context Protocol, as a client of it: the official client's methods fit in an arrow function. */
export interface McpServer {
  /** Stands before the names of its tools: `calendar` offers `calendar_list_events`. */
  readonly name: string;
  /** `tools/list`, all pages of it. */
  listTools(options: { readonly signal: AbortSignal }): Promise<{ readonly tools: readonly McpTool[] }>;
  /** `tools/call`. */
  readonly callTool: McpCall;
}

/** A call of a tool that is not ibid's. */
export interface OwnToolCall {
  readonly tool: string;
  /** What the model wrote. A document that was read may have asked for it. */
  readonly input: unknown;
}

/** What a caller lets an agent do beside searching. */
export interface OwnTools {
  /** Tools of the caller, as `defineTool` of `ibid/wire` makes them. What they answer is read, and cannot be cited. */
  readonly tools?: readonly Tool[] | undefined;
  /** Servers whose tools are offered too. Answers of theirs are data, as documents are. */
  readonly mcpServers?: readonly McpServer[] | undefined;
  /**
   * Asked before each call of these tools; false refuses it, and the model is told so. What a model reads may ask it to
   * call a tool: let nothing run that cannot be undone without asking. @default every call is run
   */
  readonly confirm?: ((call: OwnToolCall) => boolean | Promise<boolean>) | undefined;
}

/** @throws IbidError INVALID_ARGUMENT for a name that does not fit, and what a server throws when it is asked for its tools */
export async function ownTools(
  { tools = [], mcpServers = [], confirm }: OwnTools,
  signal: AbortSignal | undefined,
): Promise<readonly Tool[]> {
  const lists = await Promise.all(
    mcpServers.map(async ({ name, listTools, callTool }) => {
      if (!/^[a-zA-Z0-9-]{1,31}$/.test(name))
        throw new IbidError('INVALID_ARGUMENT', `mcpServers: "${name}" is not 1 to 31 letters, digits or "-"`);
      const list = await unlessAborted(() => listTools({ signal: signal ?? new AbortController().signal }), signal);
      return toolsFromMcp(list, callTool, { prefix: `${name}_` });
    }),
  );
  return [...tools, ...lists.flat()].map((tool) => (confirm ? confirmed(tool, confirm) : tool));
}

function confirmed(tool: Tool, confirm: NonNullable<OwnTools['confirm']>): Tool {
  return {
    ...tool,
    run: async (input, context) => {
      const isAllowed = await confirm({ tool: tool.definition.name, input });
      context.signal.throwIfAborted(); // the model was told that the call came to nothing: it must not run now
      if (isAllowed) return await tool.run(input, context);
      return { content: 'The user has refused this call.', isError: true };
    },
  };
}
