import type { MessagesService } from '../wire/messages/index.ts';

/**
 * A model that calls tools, in the form of the messages service: what the mode `agent` works with. A model of another
 * server is dressed as one (`services/common/tool-model.ts`).
 */
export type ToolModel = Pick<
  MessagesService,
  'create' | 'stream' | 'estimateCost' | 'costOf' | 'countTokens' | 'profile'
>;
