import { WireError } from '../../wire/http/errors.ts';

/** The abilities in which servers of the common dialect differ, with the way around a missing one. */
const sentences = {
  stream_options: 'does not count the tokens of a streamed answer: they are estimated',
  max_tokens: 'takes the length of an answer as `max_completion_tokens`',
  encoding_format: 'does not send vectors as base64: they travel as numbers',
  dimensions: 'does not shorten its vectors: its own number of dimensions must be given, or none',
  temperature: 'does not take a temperature',
  response_format: 'does not take a JSON schema: its scores are read out of its text',
  rerank: 'has no path for reranking: it scores by chat',
  tools: 'does not call tools: it cannot carry the mode agent',
} as const;

type Ability = keyof typeof sentences;

/** Fields that a request can do without, as they are named in a refusal. */
const optionalFields = Object.keys(sentences).filter((name) => name !== 'tools' && name !== 'rerank') as Ability[];

/** The abilities that the models of one server lack. The first refusal shows one, and it is remembered. */
export class Abilities {
  readonly #missing = new Map<string, Set<Ability>>();

  lacks(model: string, ability: Ability): boolean {
    return this.#missing.get(model)?.has(ability) ?? false;
  }

  note(model: string, ability: Ability): void {
    const missing = this.#missing.get(model) ?? new Set();
    this.#missing.set(model, missing.add(ability));
  }

  /** One sentence for each, with the name of the model. */
  get said(): readonly string[] {
    return [...this.#missing].flatMap(([model, missing]) => [...missing].map((one) => `"${model}" ${sentences[one]}`));
  }

  /**
   * Sends, and sends again without a field that the server refuses by its name.
   * @param fields those of `send`'s request that can be left out
   */
  async adapt<T>(model: string, fields: readonly Ability[], send: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await send();
      } catch (error) {
        const refused = refusedField(error, fields);
        if (refused === undefined || this.lacks(model, refused)) throw error;
        this.note(model, refused);
      }
    }
  }
}

/** The field that a server says it does not take. */
function refusedField(error: unknown, fields: readonly Ability[]): Ability | undefined {
  if (!(error instanceof WireError) || error.code !== 'REQUEST_REJECTED') return undefined;
  const said = `${error.param ?? ''} ${error.message}`;
  const named = fields.find((field) => optionalFields.includes(field) && said.includes(field));
  if (named !== undefined) return named;
  return fields.includes('dimensions') && /matryoshka/i.test(said) ? 'dimensions' : undefined;
}
