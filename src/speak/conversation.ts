import type { Speaker, SpokenTurn } from './contract.ts';

/** Turns of several voices, given at once: they are spoken as one. */
export function isConversation(
  turns: readonly SpokenTurn[] | AsyncIterable<SpokenTurn>,
  { voices }: Pick<Speaker, 'voices'>,
): turns is readonly SpokenTurn[] {
  return Array.isArray(turns) && new Set(turns.map(({ voice = voices[0] }: SpokenTurn) => voice)).size > 1;
}
