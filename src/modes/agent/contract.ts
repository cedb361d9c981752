import type { HistoryTurn } from '../../answer/grounded/request.ts';
import type { Meter } from '../../core/meter.ts';
import type { CallOptions } from '../../core/types.ts';
import type { ServiceModelOptions } from '../../services/language-model.ts';
import type { MessageRequest } from '../../wire/messages/index.ts';
import type { OwnTools } from './own-tools.ts';
import type { AgentPreset } from './presets.ts';

export interface AgentOptions extends CallOptions, OwnTools {
  /** @default 'pro-search' */
  readonly preset?: AgentPreset | undefined;
  /** Rounds of tools; instead of the preset's. */
  readonly maxSteps?: number | undefined;
  /** Input and output of all steps together. Looked at before each step, so that the last one may go over it. */
  readonly maxTotalTokens?: number | undefined;
  /** For this question; the budget of the meter holds too. */
  readonly maxUsd?: number | undefined;
  readonly model: string;
  /** Of one step's words; what it thinks comes on top. @default 2,048 */
  readonly maxTokens?: number | undefined;
  /** @default adaptive for more than three rounds of tools, where the model has it; else off */
  readonly thinking?: MessageRequest['thinking'] | undefined;
  readonly effort?: MessageRequest['effort'] | undefined;
  readonly cache?: ServiceModelOptions['cache'];
  readonly inferenceGeo?: ServiceModelOptions['inferenceGeo'];
  readonly serviceTier?: ServiceModelOptions['serviceTier'];
  readonly history?: readonly HistoryTurn[] | undefined;
  readonly meter?: Meter | undefined;
}
