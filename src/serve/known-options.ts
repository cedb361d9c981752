import type { KnownOptions } from '../core/arguments.ts';
import type { ServeLimits, ServeOptions } from './contract.ts';
import type { McpStdioOptions } from './mcp/stdio.ts';
import type { NewToken } from './tokens.ts';

export const serveOptions: KnownOptions<ServeOptions> = {
  of: 'serve',
  names: {
    indexes: true,
    host: 'text',
    port: true,
    tokens: true,
    openWithoutTokens: 'flag',
    insecure: 'flag',
    hosts: true,
    origins: true,
    dailyBudgetUsd: true,
    spentFile: 'text',
    limits: true,
    watch: true,
    watchOptions: true,
    page: 'text',
    log: 'function',
  },
};

export const serveLimits: KnownOptions<ServeLimits> = {
  of: 'limits',
  names: {
    bodyBytes: true,
    questionChars: true,
    concurrency: true,
    queue: true,
    requestMs: true,
    receiveMs: true,
    connections: true,
  },
};

export const mcpStdioOptions: KnownOptions<McpStdioOptions> = {
  of: 'mcpOverStdio',
  names: { indexes: true, input: true, output: true, signal: true },
};

/** A misspelt filter or end would leave a token without one. */
export const tokenOptions: KnownOptions<NewToken> = {
  of: 'a token',
  names: { name: 'text', scopes: true, where: true, dailyBudgetUsd: true, expires: true },
};
