import { type AskMode, IbidError } from '../index.ts';
import type { AskFlags } from './ask-flags.ts';
import { flagOf } from './options.ts';
import type { FilterFlags } from './web.ts';

/** Flags that only some modes have a use for. */
type ModeFlag = Extract<
  keyof AskFlags,
  | 'where'
  | 'rerank'
  | 'rerankModel'
  | 'look'
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
  | 'look'
  | 'cache'
  | 'inferenceGeo'
  | 'serviceTier'
  | 'searchMode'
  | 'language'
  | 'instructions'
  | 'metadata'
  | 'sandbox'
  | 'images'
  | 'relatedQuestions'
  | 'contextSize'
  | 'web'
  | keyof FilterFlags
  | 'webQuery'
  | 'webFetch'
  | 'webDeadline'
>;

const filters = [
  'webDomain',
  'webRecency',
  'webAfter',
  'webBefore',
  'webUpdatedAfter',
  'webUpdatedBefore',
  'webLanguage',
  'webCountry',
] as const satisfies readonly (keyof FilterFlags)[];
const ranked = ['where', 'rerank', 'rerankModel'] as const;
const besideIndex = ['web', ...filters, 'webQuery', 'webFetch', 'webDeadline'] as const;
const writing = ['model', 'effort', 'maxTokens'] as const;
/** Of requests to the messages service. */
const byMessages = ['thinking', 'cache', 'inferenceGeo', 'serviceTier'] as const;

/** What each mode takes of them. The services of research and answer look at the web by themselves. */
const uses: Readonly<Record<AskMode, readonly ModeFlag[]>> = {
  extractive: [...ranked, 'passages', 'sentences', ...besideIndex],
  grounded: [...ranked, 'passages', ...byMessages, 'marks', 'look', ...writing, ...besideIndex],
  agent: [...ranked, 'preset', 'maxSteps', 'maxTotalTokens', ...byMessages, 'look', ...writing, ...besideIndex],
  research: [
    ...ranked,
    'preset',
    'maxSteps',
    'sandbox',
    'instructions',
    'language',
    'metadata',
    'web',
    ...filters,
    ...writing,
  ],
  answer: ['images', 'relatedQuestions', 'contextSize', 'searchMode', 'language', 'web', ...filters, ...writing],
};

/** Every flag that shapes an answer in some mode. */
export const modeFlags: readonly ModeFlag[] = [...new Set(Object.values(uses).flat())];

/**
 * A flag that no mode of this question has a use for would be dropped without a word.
 * @param modes those that may answer
 * @throws IbidError INVALID_ARGUMENT
 */
export function refuseUnused(flags: AskFlags, modes: readonly AskMode[]): void {
  const given = modeFlags.filter((name) => flags[name] !== undefined && flags[name] !== false);
  const unused = given.find((name) => !modes.some((mode) => uses[mode].includes(name)));
  if (unused !== undefined) {
    const takers = Object.entries(uses).flatMap(([mode, names]) => (names.includes(unused) ? [mode] : []));
    throw new IbidError('INVALID_ARGUMENT', `${flagOf(unused)} has no meaning for ${modes.join(' or ')}`, {
      hint: `It is for ${takers.join(', ')}: choose one with \`--mode\`, or leave it out.`,
    });
  }
  const { effort } = flags;
  const own = flags.settings.config.models?.writer?.server;
  const ofService = (['effort', ...byMessages, 'marks'] as const).find((name) => flags[name] !== undefined);
  if (
    own !== undefined &&
    ofService !== undefined &&
    modes.every((mode) => mode === 'grounded' || mode === 'extractive')
  )
    throw new IbidError('INVALID_ARGUMENT', `${flagOf(ofService)} has no meaning for a model of the server "${own}"`, {
      hint: 'It is for models of the messages service.',
    });
  if (modes.length === 1 && modes[0] === 'answer' && (effort === 'xhigh' || effort === 'max'))
    throw new IbidError('INVALID_ARGUMENT', `the answer service knows no effort "${effort}"`, {
      hint: 'Use low, medium or high.',
    });
}
