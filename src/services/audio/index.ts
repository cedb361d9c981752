export type { JoinedSound } from './join-sound.ts';
export type { LongDialogue, LongDialogueOptions } from './long-dialogue.ts';
export { longDialogue } from './long-dialogue.ts';
export type { LongOptions, LongSegment, LongSpeech } from './long-speech.ts';
export { longSpeech } from './long-speech.ts';
export type { SegmentStore, StoredSegment } from './segment-store.ts';
export { memorySegments, segmentKey } from './segment-store.ts';
export type { TextSegment } from './split-text.ts';
export { splitText } from './split-text.ts';
