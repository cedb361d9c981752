import { optionsOf } from '../../core/arguments.ts';
import type { CallOptions } from '../../core/types.ts';
import type { CommonModel, CommonService } from '../../wire/common/index.ts';

/** A model as its server lists it. */
export interface ServedModel {
  readonly id: string;
  /** Input and output together; absent when the server does not say. */
  readonly contextTokens?: number | undefined;
}

/** The listing of a server, asked for once; a failed one is asked for again. */
export class ServedModels {
  readonly #service: CommonService;
  #listing: Promise<readonly ServedModel[]> | undefined;

  constructor(service: CommonService) {
    this.#service = service;
  }

  /** @throws WireError */
  async list(options: CallOptions = {}): Promise<readonly ServedModel[]> {
    const { signal } = optionsOf(options);
    return (await this.#service.models({ signal })).map(servedModel);
  }

  /** Undefined when the server does not say, or does not answer. @throws what the caller aborts with */
  async contextTokens(model: string, { signal }: CallOptions = {}): Promise<number | undefined> {
    signal?.throwIfAborted();
    this.#listing ??= this.list();
    this.#listing.catch(() => {
      this.#listing = undefined;
    });
    const listed = await this.#listing.catch(() => []); // a question is not lost for want of a listing
    signal?.throwIfAborted();
    return listed.find(({ id }) => id === model)?.contextTokens;
  }
}

/** vLLM, OpenRouter, LM Studio and llama.cpp each have a name of their own for the window. */
function servedModel({ id, ...fields }: CommonModel): ServedModel {
  const { max_model_len, context_length, max_context_length, meta } = fields;
  const trained = typeof meta === 'object' && meta !== null && 'n_ctx' in meta ? meta.n_ctx : undefined;
  const window = [max_model_len, context_length, max_context_length, trained].find(
    (value) => typeof value === 'number' && Number.isSafeInteger(value) && value > 0,
  );
  return typeof window === 'number' ? { id, contextTokens: window } : { id };
}
