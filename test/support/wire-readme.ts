// Makes src/wire/README.md from the operation tables, the retry table and the examples that the contract tests run.
// `node bench/table.ts --write` writes the file.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { audioOperations } from '../../src/wire/audio/client.ts';
import { commonOperations } from '../../src/wire/common/operations.ts';
import type { Operation, RepeatRule, ServiceName } from '../../src/wire/http/contract.ts';
import { repeatTable } from '../../src/wire/http/retry.ts';
import { messagesOperations } from '../../src/wire/messages/operations.ts';
import { searchOperations } from '../../src/wire/search/operations.ts';
import { referenceProfile } from '../../src/wire/search/profile.ts';

const root = join(import.meta.dirname, '../..');

/** From the repository's root; the package holds the file too. */
export const referencePath = 'src/wire/README.md';

/** What stands between `// example: <name>` and `// end`, else the body of an entry without its `return`; without the indentation. */
function examplesOf(path: string): ReadonlyMap<string, string> {
  const source = readFileSync(join(root, path), 'utf8');
  const found = new Map<string, string>();
  const add = (name: string, body: string): void => {
    const lines = body.trimEnd().split('\n');
    const indent = Math.min(...lines.filter((line) => line !== '').map((line) => line.search(/\S/)));
    if (found.has(name)) throw new Error(`${path} has two examples for ${name}`);
    // The tests poll without waiting; nobody else should.
    found.set(
      name,
      lines.map((line) => line.slice(indent).replace(/, \{ pollMs: \d+ \}|pollMs: 1, |, pollMs: 10/, '')).join('\n'),
    );
  };
  for (const [, name = '', body = ''] of source.matchAll(/^ *\/\/ example: (.+)\n([\s\S]*?)^ *\/\/ end$/gm)) {
    add(name, body);
  }
  const entries = source.matchAll(/^ {2}'?([\w.]+)'?: async \(.*\) => \{\n([\s\S]*?)^ {2}\},$/gm);
  for (const [, name = '', body = ''] of entries) {
    if (!body.includes('// example: ')) add(name, body.replace(/^ {4}return .*;\n$/m, ''));
  }
  return found;
}

/** Examples of single operations, and recipes for which a service has them. */
const exampleFiles = (service: ServiceName): string[] =>
  ['examples', 'recipes']
    .map((name) => `test/wire/${service}/${name}.ts`)
    .filter((path) => existsSync(join(root, path)));

interface Client {
  readonly service: ServiceName;
  readonly title: string;
  readonly create: string;
  readonly variable: string;
  readonly operations: readonly Operation[];
  /** Examples are named without it. */
  readonly prefix: string;
  readonly beside: string;
}

const clients: readonly Client[] = [
  {
    service: 'search',
    title: 'Answers, research, search, embeddings, sandbox',
    create: 'createSearchService',
    variable: 'service',
    operations: Object.values(searchOperations(referenceProfile.paths)),
    prefix: '',
    beside:
      '`runResearch` and `researchFunction` are from `ibid/wire` itself. The sandbox is experimental: open with `experimental: { sandbox: true }`.',
  },
  {
    service: 'messages',
    title: 'Messages, batches, models, files, administration',
    create: 'createMessagesService',
    variable: 'service',
    operations: messagesOperations,
    prefix: '',
    beside:
      'Functions that are not methods (`textOf`, `defineTool`, …) are from `messages` of `ibid/wire`; `runTools` and `streamTools` from `ibid/wire` itself.',
  },
  {
    service: 'audio',
    title: 'Speech, dialogue, transcripts, voices, sound, music, dubbing, agents',
    create: 'createAudioService',
    variable: 'audio',
    operations: audioOperations,
    prefix: 'audio.',
    beside:
      'Functions that are not methods are from `audio` of `ibid/wire`, which here is the name of the client; `longSpeech` and `longDialogue` are from `ibid/wire` itself.',
  },
  {
    service: 'common',
    title: 'Servers of the common dialect',
    create: 'createCommonService',
    variable: 'client',
    operations: Object.values(commonOperations('/v1')),
    prefix: 'common.',
    beside:
      'Ollama, llama.cpp, vLLM, LM Studio, TEI, Infinity, LiteLLM and gateways. No key is needed where the server needs none. `baseUrl` means the same with `/v1` at its end and without; a server without `/v1` in its paths is found out. `privateAddress: true` allows `http:` to a host in a private network. `ibid/models` makes the parts of an index of such a server.',
  },
];

/** The areas of the services and the operations that belong to each, by how their names begin. */
const areas: readonly (readonly [area: string, service: ServiceName, begins: RegExp])[] = [
  ['Answers, streamed or queued', 'search', /^answers\./],
  ['Agentic research, with your functions', 'search', /^(research\.|models$)/],
  ['Search', 'search', /^search$/],
  ['Embeddings, standard and contextual', 'search', /^embeddings\./],
  ['Sandbox (experimental)', 'search', /^sandbox\./],
  ['Messages, chat, token counts', 'messages', /^messages\.(create|stream|count_tokens|chat|chat_stream)$/],
  ['Batches', 'messages', /^messages\.batches\./],
  ['Models and files', 'messages', /^messages\.(models|files)\./],
  ['Administration', 'messages', /^messages\.admin\./],
  ['Speech and dialogue', 'audio', /^audio\.(speech|dialogue|voiceChanger)\./],
  ['Transcripts and alignment', 'audio', /^audio\.(transcripts|alignment)\./],
  ['Voices and voice design', 'audio', /^audio\.(voices|voiceDesign)\./],
  ['Dictionaries', 'audio', /^audio\.dictionaries\./],
  ['Sound effects, music, isolation, podcasts', 'audio', /^audio\.(soundEffects|music|isolation|podcasts)\./],
  ['Dubbing', 'audio', /^audio\.dubbing\./],
  ['Conversational agents', 'audio', /^audio\.agents\./],
  ['Account, history, tokens, models', 'audio', /^audio\.(account|tokens)\.|^audio\.models$/],
  ['Models of your own server', 'common', /^common\./],
];

const rules: Readonly<Record<RepeatRule, string>> = {
  always: 'reads, deletes, counts, and what costs a cent at most',
  refused: 'what bills or creates, but surely did not when the service says so',
  unsent: 'agentic runs, sockets, code: what bills or acts while it works',
  never: 'nothing at present',
};

/** As GitHub makes them of headings. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

const causes = (rule: RepeatRule): string => {
  const words = repeatTable[rule].map((cause) =>
    cause === 'unsent' ? 'never arrived' : cause === 'unanswered' ? 'cut or timed out' : String(cause),
  );
  return words.length === 0 ? '–' : words.join(', ');
};

function operationTable(operations: readonly Operation[]): string {
  const row = ({ name, method, path, repeat }: Operation): string =>
    `| [\`${name}\`](#${anchor(name)}) | \`${method} ${path}\` | ${repeat} |`;
  return ['| operation | request | repeated |', '| --- | --- | --- |', ...operations.map(row)].join('\n');
}

/** What the clients have in common. */
function commonPart(): string {
  const all = clients.flatMap(({ operations }) => operations);
  const counted = new Set<string>();
  const areaRows = areas.map(([area, service, begins]) => {
    const own = all.filter((operation) => operation.service === service && begins.test(operation.name));
    if (own.length === 0) throw new Error(`no operation belongs to ${area}`);
    for (const { name } of own) counted.add(name);
    return `| ${area} | \`${service}\` | ${own.length} | [\`${own[0]!.name}\`](#${anchor(own[0]!.name)}) |`;
  });
  const left = all.filter(({ name }) => !counted.has(name));
  if (left.length > 0) throw new Error(`no area for ${left.map(({ name }) => name).join(', ')}`);
  const ruleRows = (Object.keys(rules) as RepeatRule[]).map((rule) => {
    const many = all.filter(({ repeat }) => repeat === rule).length;
    return `| ${rule} | ${rules[rule]} | ${causes(rule)} | ${many} |`;
  });
  return `\`ibid/wire\` is the clients of the three services, and of servers of the common dialect, by themselves: typed, with one transport underneath, and without the index and its database.

\`\`\`ts
import { createMessagesService, messages, serviceFromEnvironment, WireError } from 'ibid/wire';

${examplesOf('test/wire/door/example.ts').get('door')!}
\`\`\`

| what | service | operations | first example |
| --- | --- | --: | --- |
${areaRows.join('\n')}

Every operation has a short example below; the tests check the types of each and run it against a strict loopback service. What an example uses and does not declare is yours: ids that an earlier call gave, \`recording\` as bytes, texts (\`manual\`, \`report\`, \`lexicon\`, \`body\` and its \`headers\`), functions (\`show\`, \`save\`, \`call\`) and the tools that a server has \`listed\`.

${clients
  .map(
    ({ service, operations }) =>
      `<details>\n<summary>All ${operations.length} operations of ${service === 'common' ? 'the common dialect' : `the ${service} service`}</summary>\n\n${operationTable(operations)}\n\n</details>`,
  )
  .join('\n\n')}

**Keys and addresses.** \`serviceFromEnvironment(service, process.env)\` reads the variables below; nothing reads the environment by itself. Keys appear in no message, log, trace or \`util.inspect\` output, are refused in a browser, and follow no redirect to another origin. Addresses are https unless loopback, or a private one that is named as such.

| variable | meaning |
| --- | --- |
| \`IBID_SEARCH_API_KEY\`, \`IBID_MESSAGES_API_KEY\`, \`IBID_AUDIO_API_KEY\` | the keys |
| \`…_BASE_URL\` beside each | the address of the service; needed with the key |
| \`…_PROFILE\` beside each | \`reference\` (default) or \`public\`: header names, paths, model names and field spellings |
| \`http_proxy\`, \`https_proxy\`, \`no_proxy\`, or in capitals | proxies; loopback is never proxied |

**Profiles.** \`profile: 'public'\`, or an object with single rows of a profile, changes how requests are spelled; a body never holds two spellings of one field. Model names, limits and prices are data in the profile, so a newer model is a row, not a release.

Where the reference document and the public service disagree, each profile keeps to its own:

| what | \`reference\` | \`public\` |
| --- | --- | --- |
| \`voice_v3\` | 5,000 characters, continuity fields; dialogues of 5,000 | 5,000, no continuity fields; dialogues of 2,000 |
| effort, context size and kind of a search | top of the body | in \`output_config\`, in \`web_search_options\` |
| contextual embeddings, a million tokens | 0.004 and 0.03 USD | 0.008 and 0.05 USD |
| model names, header of the key, headers of versions and betas | neutral ones | those of the product |

**Retries.** The rule stands in each operation's row. Four attempts after the first for 429, 503 and 529, two otherwise (\`maxRetries\`); waits double with jitter, \`Retry-After\` in all its forms goes before, and a wait above 60 s is reported instead of waited for. \`repeatUnanswered\` lets a \`refused\` operation be sent again after a cut.

| rule | for | sent again after | operations |
| --- | --- | --- | --: |
${ruleRows.join('\n')}

**Limits.** One limiter per key and address, shared by all clients of the process: requests, input and output tokens a minute, calls that begin at once (\`burst\`), and calls under way, set with \`limits\` by group, else learned from the service's headers. Estimates are corrected by what was used. After a refusal for its rate (429) all calls of the group wait as long as the service says, half as many are sent at once (one more every half minute), and those that were refused go first. A stream that nobody reads for 5 s lends its place to the next call.

**Errors.** Every failure of a call is a \`WireError\` with \`code\`, \`status\`, \`requestId\`, \`attempts\`, \`retryable\` and \`hint\`; the codes are in [the README](../README.md#error-codes). Bad input is refused before anything is sent, with the field named (\`INVALID_ARGUMENT\`). Your own abort comes back as \`signal.reason\`. What had arrived of a broken stream or run is in \`partial\`.

**Prices.** Estimates before a call (\`estimateCost\`, \`estimateSearchCost\`, \`estimateMessageCost\`, \`estimateCredits\`) and \`cost\` after it come from the reference price tables or from the service's own figures (\`cost.source\` says which), with cache, batch and geography factors, fees per request, and credits for audio; \`sumCosts\` adds them up.

**Watching.** \`onAttempt\` is told of every attempt; with OpenTelemetry set up, each call is one client span in the GenAI conventions, without texts and keys.`;
}

/** The whole file: what the clients have in common, then every operation's row and example. */
export function wireReference(): string {
  const parts = clients.map(({ service, title, create, variable, operations, prefix, beside }) => {
    const examples = new Map(exampleFiles(service).flatMap((path) => [...examplesOf(path)]));
    const show = (heading: string, line: string, code: string): string =>
      [`### ${heading}`, ...(line === '' ? [] : [line]), `\`\`\`ts\n${code}\n\`\`\``].join('\n\n');
    const rows = operations.map(({ name, method, path, repeat }) => {
      const key = name.startsWith(prefix) ? name.slice(prefix.length) : name;
      const code = examples.get(key);
      if (code === undefined) throw new Error(`${name} has no example`);
      examples.delete(key);
      return show(name, `\`${method} ${path}\`, repeated: ${repeat}.`, code);
    });
    examples.delete('<operation>` and `// end`: type-checked here, run against the loopback');
    const more = [...examples].map(([name, code]) => show(name, '', code));
    return `## ${title}

\`const ${variable} = ${create}({ apiKey, baseUrl })\`. ${beside}

${rows.join('\n\n')}

${more.join('\n\n')}`;
  });
  return `# \`ibid/wire\`

${commonPart()}

Generated by \`node bench/table.ts --write\`; do not edit this file by hand.

${parts.join('\n\n')}
`;
}
