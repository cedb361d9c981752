export type { JoinedSound } from './join-sound.ts';
export { type LongDialogue, type LongDialogueOptions, longDialogue } from './long-dialogue.ts';
export { type LongOptions, type LongSegment, type LongSpeech, longSpeech } from './long-speech.ts';
export { memorySegments, type SegmentStore, type StoredSegment, segmentKey } from './segment-store.ts';
export { splitText, type TextSegment } from './split-text.ts';
