import { untilAborted } from '../core/async.ts';
import {
  callOwn,
  checkedUsd,
  contractBroken,
  type OwnPart,
  ownFailure,
  priceOf,
  shown,
  unawaited,
  unusable,
} from '../core/own-part.ts';
import { definedOnly } from '../core/records.ts';
import type {
  LanguageModel,
  ModelEvent,
  ModelLimits,
  ModelRequest,
  ModelStop,
  ModelWriteOptions,
} from './language-model.ts';
import { noUsage } from './model-usage.ts';

const stops: ReadonlySet<unknown> = new Set<ModelStop>(['end', 'length', 'refusal', 'context', 'broken']);

/**
 * The caller's model, whose events are checked before they are written. What breaks after the first word ends the
 * stream in `stop: 'broken'`, with the error. The caller closes the model.
 * @throws IbidError INVALID_ARGUMENT for one without id, limits or methods; its calls: CONTRACT_BROKEN, SERVICE_FAILED
 */
export function ownLanguageModel(own: LanguageModel): LanguageModel {
  const invalid = (missing: string): Error => unusable('model', 'LanguageModel', 'languageModelContract', missing);
  if (typeof own?.id !== 'string' || own.id === '') throw invalid('`id` must be a text');
  for (const name of limitNames) {
    if (!(own[name] > 0)) throw invalid(`\`${name}\` must be a number of tokens, not ${shown(own[name])}`);
  }
  for (const name of ['write', 'estimateUsd'] as const) {
    if (typeof own[name] !== 'function') throw invalid(`it has no method \`${name}\``);
  }
  for (const name of ['limits', 'countedUsd'] as const) {
    if (own[name] !== undefined && typeof own[name] !== 'function') throw invalid(`\`${name}\` must be a method`);
  }
  if (own.tools !== undefined && !toolMethods.every((name) => typeof own.tools?.[name] === 'function'))
    throw invalid(`\`tools\` must have the methods ${toolMethods.join(', ')}, as the writer of \`modelServer\` has`);
  const part = partOf(own);
  const estimateUsd = (request: ModelRequest): number | undefined =>
    priceOf(part, 'estimateUsd', () => own.estimateUsd(request));
  return {
    id: own.id,
    contextTokens: own.contextTokens,
    maxOutputTokens: own.maxOutputTokens,
    citesPassages: own.citesPassages,
    tools: own.tools,
    looks: own.looks,
    ...(own.limits && {
      limits: async (options) => checkedLimits(part, await callOwn(part, () => own.limits!(options), options)),
    }),
    ...(own.countedUsd && {
      countedUsd: async (request, leftUsd, options) => {
        const usd = await callOwn(part, () => own.countedUsd!(request, leftUsd, options), options);
        return checkedUsd(part, 'countedUsd', usd);
      },
    }),
    estimateUsd,
    write: (request, options) => write(own, part, estimateUsd, request, options),
  };
}

const toolMethods = ['create', 'stream', 'estimateCost', 'costOf', 'countTokens'] as const;
const limitNames = ['contextTokens', 'maxOutputTokens'] as const;

/** @throws IbidError CONTRACT_BROKEN */
function checkedLimits(part: OwnPart, limits: ModelLimits): ModelLimits {
  if (limitNames.every((name) => limits?.[name] > 0)) return limits;
  throw contractBroken(part, '`limits` must give `contextTokens` and `maxOutputTokens`');
}

/** A model as messages name it. */
export const partOf = ({ id }: Pick<LanguageModel, 'id'>): OwnPart => ({
  ...{ what: 'model', id, check: 'languageModelContract' },
});

async function* write(
  own: LanguageModel,
  part: OwnPart,
  estimateUsd: LanguageModel['estimateUsd'],
  request: ModelRequest,
  options: ModelWriteOptions = {},
): AsyncGenerator<ModelEvent, void, undefined> {
  let wrote = false;
  let error: Error;
  try {
    for await (const event of untilAborted(eventsOf(part, own.write(request, options)), options.signal)) {
      const checked = checkedEvent(part, event);
      yield checked;
      if (checked.type === 'stop') return;
      if (checked.type === 'text' && checked.text !== '') wrote = true;
    }
    throw contractBroken(part, 'it ended without a `stop`');
  } catch (cause) {
    options.signal?.throwIfAborted();
    error = ownFailure(part, cause);
    if (!wrote) throw error;
  }
  // what it has cost is not known: the most it could
  yield { type: 'stop', stop: 'broken', usage: noUsage, costUsd: estimateUsd(request) ?? 0, error };
}

/** @throws IbidError CONTRACT_BROKEN */
function eventsOf(part: OwnPart, events: AsyncIterable<ModelEvent>): AsyncIterable<ModelEvent> {
  if (typeof events === 'object' && events !== null && Symbol.asyncIterator in events) return events;
  unawaited(events);
  throw contractBroken(part, '`write` must give an async iterable of events', '; `async *write` is one');
}

/** A citation that cannot be read is left out as one that proves nothing. @throws IbidError CONTRACT_BROKEN */
export function checkedEvent(part: OwnPart, event: ModelEvent): ModelEvent {
  if (typeof event !== 'object' || event === null) throw contractBroken(part, `it gave ${shown(event)} for an event`);
  if ((event.type === 'text' || event.type === 'thinking') && typeof event.text !== 'string')
    throw contractBroken(part, `the \`text\` of its event "${event.type}" is no text`);
  if (event.type === 'citation') {
    const { source, quoted } = event.citation ?? {};
    if (typeof source === 'string' && (quoted === undefined || typeof quoted === 'string')) return event;
    return { type: 'unusable', block: event.block, why: 'a citation must have a `source`, and text as `quoted`' };
  }
  if (event.type !== 'stop') return event;
  if (!stops.has(event.stop)) throw contractBroken(part, `there is no \`stop\` "${event.stop}"`);
  const usage = { ...noUsage, ...definedOnly(event.usage ?? {}) };
  if (!Object.values(usage).every((count) => Number.isSafeInteger(count) && count >= 0))
    throw contractBroken(part, '`usage` must have whole numbers of tokens');
  return { ...event, usage, costUsd: checkedUsd(part, 'costUsd', event.costUsd) };
}
