import { type AskMode, IbidError } from '../index.ts';
import type { AskFlags } from './ask-flags.ts';

/** Flags that only some modes have a use for. */
type ModeFlag = Extract<
  keyof AskFlags,
  | 'where'
  | 'rerank'
  | 'passages'
  | 'sentences'
  | 'preset'
  | 'maxSteps'
  | 'maxTokens'
  | 'maxTotalTokens'
  | 'model'
  | 'effort'
  | 'thinking'
  | 'marks'
  | 'web'
  | 'webDomain'
  | 'webRecency'
  | 'webQuery'
  | 'webFetch'
  | 'webDeadline'
>;

const besideIndex = ['web', 'webDomain', 'webRecency', 'webQuery', 'webFetch', 'webDeadline'] as const;
const writing = ['model', 'effort', 'maxTokens'] as const;

/** What each mode takes of them. The services of research and answer look at the web by themselves. */
const uses: Readonly<Record<AskMode, readonly ModeFlag[]>> = {
  extractive: ['where', 'rerank', 'passages', 'sentences', ...besideIndex],
  grounded: ['where', 'rerank', 'passages', 'thinking', 'marks', ...writing, ...besideIndex],
  agent: ['where', 'rerank', 'preset', 'maxSteps', 'maxTotalTokens', 'thinking', ...writing, ...besideIndex],
  research: ['where', 'rerank', 'preset', 'maxSteps', 'web', 'webDomain', 'webRecency', ...writing],
  answer: ['web', 'webDomain', 'webRecency', ...writing],
};

const limited: readonly ModeFlag[] = [...new Set(Object.values(uses).flat())];

/** `webDomain` → `--web-domain`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * A flag that no mode of this question has a use for would be dropped without a word.
 * @param modes those that may answer
 * @throws IbidError INVALID_ARGUMENT
 */
export function refuseUnused(flags: AskFlags, modes: readonly AskMode[]): void {
  const given = limited.filter((name) => flags[name] !== undefined && flags[name] !== false);
  const unused = given.find((name) => !modes.some((mode) => uses[mode].includes(name)));
  if (unused !== undefined) {
    const takers = Object.entries(uses).flatMap(([mode, names]) => (names.includes(unused) ? [mode] : []));
    throw new IbidError('INVALID_ARGUMENT', `${flagOf(unused)} has no meaning for ${modes.join(' or ')}`, {
      hint: `It is for ${takers.join(', ')}: choose one with \`--mode\`, or leave it out.`,
    });
  }
  const { effort } = flags;
  if (modes.length === 1 && modes[0] === 'answer' && (effort === 'xhigh' || effort === 'max'))
    throw new IbidError('INVALID_ARGUMENT', `the answer service knows no effort "${effort}"`, {
      hint: 'Use low, medium or high.',
    });
}
