// The door `ibid/wire`: the clients of the services, and what is made of several of their calls.
export {
  runTools,
  streamTools,
  ToolLoopError,
  type ToolLoopEvent,
  type ToolLoopOptions,
  type ToolLoopService,
  type ToolRun,
} from './modes/tools/loop.ts';
export {
  type FunctionContext,
  type FunctionResult,
  type ResearchFunction,
  type ResearchRound,
  type ResearchRunOptions,
  type ResearchRunResult,
  researchFunction,
  runResearch,
} from './modes/tools/research-loop.ts';
export type { ToolCallReport } from './modes/tools/run-tool.ts';
export {
  type JoinedSound,
  type LongDialogue,
  type LongDialogueOptions,
  type LongOptions,
  type LongSegment,
  type LongSpeech,
  longDialogue,
  longSpeech,
  memorySegments,
  type SegmentStore,
  type StoredSegment,
  segmentKey,
  splitText,
  type TextSegment,
} from './services/audio/index.ts';
export { openServiceSpeaker, type ServiceSpeakerOptions } from './services/audio/speaker.ts';
export type {
  SoundFormat,
  SoundPart,
  SpeakCall,
  Speaker,
  SpeakerLimits,
  SpokenSpan,
  SpokenTurn,
} from './speak/contract.ts';
export * from './wire/index.ts';
