export type { LogEntry, RunningServer, ServeLimits, ServeOptions } from './serve/contract.ts';
export { type McpStdioOptions, mcpOverStdio } from './serve/mcp.ts';
export { serve } from './serve/server.ts';
export { type NewToken, type Scope, scopes, type TokenRecord, TokenStore } from './serve/tokens.ts';
