// Apart from `agent.ts`, so that the public door loads no client of a service.

/**
 * How thorough an agent is: how often it may use its tools before it must answer. Names as in the reference of the
 * research API.
 */
export const agentPresets = {
  'fast-search': 1,
  'pro-search': 3,
  'deep-research': 10,
  'advanced-deep-research': 20,
} as const;
/** How many rounds of tools an agent may take: a key of `agentPresets`. */
export type AgentPreset = keyof typeof agentPresets;
