import type { Operation } from '../http/contract.ts';
import { adminTable } from './admin.ts';
import { batchesTable } from './batches.ts';
import { chatTable } from './chat.ts';
import { filesTable } from './files.ts';
import { messageTable } from './message-calls.ts';
import { modelsTable } from './models.ts';

/** Every operation of the service: where it is, and when it may be sent again by itself. */
export const messagesOperations: readonly Operation[] = [
  messageTable,
  chatTable,
  batchesTable,
  modelsTable,
  filesTable,
  adminTable,
].flatMap(({ operations }) => operations);
