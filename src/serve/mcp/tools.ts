import { ask } from './ask-tool.ts';
import { list } from './list-tool.ts';
import { read } from './read-tool.ts';
import { search } from './search-tool.ts';
import { status } from './status-tool.ts';
import type { Tool } from './tool.ts';

export const tools: readonly Tool[] = [search, ask, read, list, status];
