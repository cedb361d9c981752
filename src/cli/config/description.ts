/**
 * What may stand in a configuration, as a JSON Schema. The file is checked against it, the published
 * `ibid.config.schema.json` is printed from it, and `Configuration` is its type.
 */
export const description = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Configuration of ibid',
  type: 'object',
  properties: {
    $schema: { type: 'string', description: 'The address of this schema, for editors.' },
    folders: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      description: 'Folders and files that `ibid ingest` reads, relative to this file and not outside of its folder.',
    },
    leaveOut: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      description: 'Patterns of files to leave out, as in .gitignore, relative to this file.',
    },
    index: {
      type: 'string',
      minLength: 1,
      description: 'A folder relative to this file, or a LanceDB address. Default: .ibid',
    },
    indexCache: {
      type: 'object',
      description: 'Keeps a copy of an index at a remote address, to read from.',
      properties: {
        folder: { type: 'string', minLength: 1, description: 'Relative to this file. It may serve several indexes.' },
        megabytes: { type: 'integer', minimum: 1, description: 'What all copies together may take. Default: 16384' },
      },
      required: ['folder'],
      additionalProperties: false,
    },
    embedder: {
      description: '"local" (default), a model of the search service, or a model of one of `servers`.',
      anyOf: [
        { type: 'string', minLength: 1 },
        {
          type: 'object',
          properties: {
            server: { type: 'string', minLength: 1, description: 'A name under `servers`.' },
            model: { type: 'string', minLength: 1 },
            dimensions: { type: 'integer', minimum: 1, description: 'Components of a vector.' },
            queryPrefix: { type: 'string', description: 'Text that the model wants before a query.' },
            documentPrefix: { type: 'string', description: 'Text that the model wants before a document.' },
            context: {
              type: 'string',
              enum: ['none', 'headings', 'neighbours'],
              description:
                'What stands around a text: nothing, title and headings, or the texts beside it too. Default: headings',
            },
            maxTokens: { type: 'integer', minimum: 1, description: 'Tokens the model reads of one text.' },
            batch: { type: 'integer', minimum: 1, description: 'Texts in one request.' },
          },
          required: ['server', 'model'],
          additionalProperties: false,
        },
      ],
    },
    models: {
      type: 'object',
      description: 'Who writes answers, scores hits, and searches for itself: a model of a service or of a server.',
      propertyNames: { enum: ['writer', 'reranker', 'agent'] },
      additionalProperties: {
        type: 'object',
        properties: {
          service: { type: 'string', enum: ['messages'] },
          server: { type: 'string', minLength: 1, description: 'A name under `servers`.' },
          model: { type: 'string', minLength: 1 },
        },
        required: ['model'],
        additionalProperties: false,
      },
    },
    servers: {
      type: 'object',
      description: 'Servers of models of your own, by a name of your choice.',
      additionalProperties: {
        type: 'object',
        properties: {
          baseUrl: { type: 'string', minLength: 1, description: 'http://127.0.0.1:11434, with or without /v1.' },
          headers: { type: 'object', additionalProperties: { type: 'string' }, description: 'Sent with each request.' },
          timeoutMs: { type: 'integer', minimum: 1, description: 'Milliseconds to wait for an answer to begin.' },
          key: {
            type: 'string',
            pattern: '^IBID_[A-Z0-9_]+_API_KEY$',
            description: 'The name of its key, for a server that wants one. The key itself never stands here.',
          },
        },
        required: ['baseUrl'],
        additionalProperties: false,
      },
    },
    services: {
      type: 'object',
      description: 'Where the three services are.',
      propertyNames: { enum: ['search', 'messages', 'audio'] },
      additionalProperties: {
        type: 'object',
        properties: {
          baseUrl: { type: 'string', minLength: 1, description: 'With or without /v1.' },
          profile: { type: 'string', enum: ['reference', 'public'], description: 'The dialect. Default: reference' },
          headers: { type: 'object', additionalProperties: { type: 'string' }, description: 'Sent with each request.' },
          timeoutMs: { type: 'integer', minimum: 1, description: 'Milliseconds to wait for an answer to begin.' },
        },
        additionalProperties: false,
      },
    },
    prices: {
      type: 'object',
      description: 'Prices by model, of a service or of a server, in US dollars for a million tokens.',
      additionalProperties: {
        type: 'object',
        properties: { input: { type: 'number', minimum: 0 }, output: { type: 'number', minimum: 0 } },
        required: ['input', 'output'],
        additionalProperties: false,
      },
    },
    fees: {
      type: 'object',
      description: 'Prices of services that are not by token, in US dollars.',
      properties: {
        search: { type: 'number', minimum: 0, description: 'A request to the search of the web.' },
        researchSearch: { type: 'number', minimum: 0, description: 'A search of the research service.' },
        researchPage: { type: 'number', minimum: 0, description: 'A page that the research service reads.' },
        sandbox: { type: 'number', minimum: 0, description: 'Research that runs code.' },
        modelSearch: { type: 'number', minimum: 0, description: 'A search of a model of the messages service.' },
        transcribedHour: { type: 'number', minimum: 0, description: 'An hour of sound that is written down.' },
      },
      additionalProperties: false,
    },
    privateAddresses: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      description: 'Addresses in your own network that may be reached by http: http://10.0.0.5:8080.',
    },
    ocr: {
      type: 'object',
      properties: {
        languages: {
          type: 'array',
          items: { type: 'string', minLength: 1 },
          description: 'Of scans and pictures, as tesseract names them: deu, eng. Empty: found from the text.',
        },
      },
      additionalProperties: false,
    },
    speech: {
      type: 'object',
      description: 'Who speaks. Default: the audio service with a key, else espeak-ng.',
      properties: {
        service: { type: 'string', enum: ['audio', 'espeak-ng'] },
        server: { type: 'string', minLength: 1, description: 'A name under `servers`; needs `model`.' },
        model: { type: 'string', minLength: 1 },
        voices: {
          type: 'array',
          items: { type: 'string', minLength: 1 },
          description: 'Ids or names. The first speaks answers.',
        },
        speed: { type: 'number', minimum: 0.25, description: '1 is as the voice is.' },
        format: {
          type: 'string',
          enum: ['wav', 'mp3', 'ogg', 'opus'],
          description: 'Of a stream, which has no extension. Default: wav',
        },
        dictionaries: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              id: { type: 'string', minLength: 1 },
              version: { type: 'string', minLength: 1, description: 'Default: the latest' },
            },
            required: ['id'],
            additionalProperties: false,
          },
          description: 'Pronunciation dictionaries of the audio service.',
        },
        plan: {
          type: 'string',
          enum: ['free', 'starter', 'creator', 'pro', 'scale', 'business', 'enterprise'],
          description: 'Of the audio service: its price beyond the quota is reckoned with.',
        },
        usdPer1000Characters: { type: 'number', minimum: 0, description: 'The price, instead of the plan’s.' },
      },
      additionalProperties: false,
    },
    budget: { type: 'number', minimum: 0, description: 'What one command may cost, in US dollars.' },
  },
  additionalProperties: false,
} as const;

/** The content of a configuration that was checked. */
export type Configuration = Described<typeof description>;

/** The type of the values that a schema describes. */
type Described<S> = S extends { readonly anyOf: readonly (infer One)[] }
  ? Described<One>
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly type: 'string' }
      ? string
      : S extends { readonly type: 'number' | 'integer' }
        ? number
        : S extends { readonly items: infer Item }
          ? readonly Described<Item>[]
          : S extends { readonly properties: infer Properties }
            ? DescribedObject<Properties, S extends { readonly required: readonly (infer Name)[] } ? Name : never>
            : S extends { readonly propertyNames: { readonly enum: readonly (infer Name)[] } }
              ? { readonly [N in Name & string]?: DescribedValue<S> }
              : { readonly [name: string]: DescribedValue<S> };

type DescribedValue<S> = S extends { readonly additionalProperties: infer Value } ? Described<Value> : never;

type DescribedObject<Properties, Required> = {
  readonly [N in keyof Properties as N extends Required ? N : never]: Described<Properties[N]>;
} & { readonly [N in keyof Properties as N extends Required ? never : N]?: Described<Properties[N]> };
