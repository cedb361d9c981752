import type { ErrorCode, IbidError, IngestFailure } from '../index.ts';
import { audioService, howToSet, messagesService, searchService, variable } from './keys.ts';

/** What the library calls an option or a method, and what the command line calls the same. */
export const commandWords: readonly (readonly [library: string, command: string])[] = [
  ['Open it with `create: true` and ingest a folder', 'Build one with `ibid ingest <folder>`'],
  ['Call `index.repair()`', 'Run `ibid doctor --repair`'],
  ['repair the index with `index.repair()`', 'run `ibid doctor --repair`'],
  ['`storageOptions`, or the environment variables of its provider', 'the environment variables of its provider'],
  ['as `storageOptions`, or in the environment', 'in the environment'],
  ['into `storageOptions`, or the environment', 'into the environment'],
  ['Leave out `cache`', 'Leave out `--index-cache`'],
  ['Leave out `shards`; `openIndexes` reads indexes on several machines as one', 'Leave out `--shards`'],
  ['open another address', 'name another place with `--index`'],
  ['open that one', 'name that one with `--index`'],
  ["`reembed({ to: 'local' })`", '`ibid reembed --to local`'],
  ['`reembed`', '`ibid reembed`'],
  ['Open it with the new `embedder`, and ingest with `rebuild: true`', 'Run `ibid ingest --rebuild --embedder <name>`'],
  [
    'Pass it to openIndex as `embedder`, or rebuild the index with another one',
    'Use the program that made the index, or run `ibid ingest --rebuild --embedder local` over the same folders',
  ],
  ['ingest its folder where it lies now', 'run `ibid ingest` over its folder where it lies now'],
  ['forget its documents with `remove`', 'forget its documents with `ibid remove`'],
  ['`embedder`', '`--embedder`'],
  ['Give a string, or a list of strings', 'Name a folder or a file'],
  ['Ingest the same folders again', 'Run `ibid ingest` over the same folders'],
  ['Ingest the same folders with `rebuild: true`', 'Run `ibid ingest --rebuild` over the same folders'],
  ['ingest the same folders with `rebuild: true`', 'run `ibid ingest --rebuild` over the same folders'],
  ['an ingest with `rebuild: true`', '`ibid ingest --rebuild`'],
  ['ingest with `rebuild: true`', 'run `ibid ingest --rebuild`'],
  ['`rebuild: true`', '`--rebuild`'],
  ['`force: true`', '`--force`'],
  ['`wait: true`', 'without `--no-wait`'],
  ['`waitMs`', '`--wait SECONDS`'],
  ['`maxFileBytes`', '`--max-file-mb`'],
  ['maxFileBytes', '`--max-file-mb`'],
  ['maxTokens', '`--max-tokens`'],
  ['`fallback`', '`--fallback`'],
  ['timeoutMs', '`--timeout`'],
  ['deadlineMs', '`--web-deadline`'],
  ['`minutes`', '`--minutes`'],
  ['leave `voices` out', 'leave `--voices` out'],
  ['Open the index that is meant alone, with `openIndex`', 'Name the index that is meant alone, with `--index`'],
  [
    'Give a price with the model (`prices` of a service, `usdPerMillionTokens` of an own model)',
    'Give a price under `prices` of ibid.config.json',
  ],
  [
    'Give the plan of the key, or the price of 1,000 characters',
    'Give plan or usdPer1000Characters under speech in ibid.config.json',
  ],
  ['ingest with `transcribe: true`', 'run `ibid ingest --transcribe`'],
  ['`usdPerHour`', '`--hour-price`'],
  ['`questions`', '`--questions FILE`'],
  ['Make a token, listen on', 'Make a token with `ibid token create`, listen on'],
  ['`insecure: true`', '`--insecure`'],
  ['give `onMissing`', 'add `--partial`'],
  ['`port`', '`--port`'],
  ['`host`', '`--host`'],
  ['`writeBaseline`', '`ibid gate --save`'],
];

/** What to do about an error that has no hint of its own. */
const hintOfCode: Partial<Record<ErrorCode, string>> = {
  FILE_UNREADABLE: 'Check the path, and whether you may read it or write to it.',
  CITATION_NOT_FOUND: '`ibid status --documents` lists what is in the index.',
  INDEX_DAMAGED: 'Run `ibid doctor`.',
};

/** What to do about files that an ingest could not read; what is kept of such a failure is code and message. */
const hintOfFile: Partial<Record<ErrorCode, string>> = {
  FILE_UNREADABLE: 'Check that it is there and that you may read it.',
  FILE_TOO_LARGE: 'Split the file; where its bytes are over the limit, `--max-file-mb` raises it.',
  FILE_TIMEOUT: 'Raise `--timeout`, or list the file in .ibidignore.',
  FILE_MEMORY: 'Split the file, or list it in .ibidignore.',
  FILE_UNSUPPORTED: 'Convert it to text, HTML, PDF or DOCX, or list it in .ibidignore.',
  FILE_ENCRYPTED: 'Save it without a password.',
  FILE_DAMAGED: 'Save it again with the program that made it, get another copy, or list it in .ibidignore.',
};

/** A line for each code among failures of an ingest, in the order in which they first stand there. */
export function failureHints(failures: readonly IngestFailure[]): string[] {
  return [...new Set(failures.map(({ code }) => code))].flatMap((code) => {
    const hint = hintOfFile[code as ErrorCode]; // of any other code there is none
    return hint === undefined ? [] : [`hint: ${code}: ${hint}`];
  });
}

const withLocal = 'Or run `ibid ingest --rebuild --embedder local` over the same folders, which needs none.';

/** The hint of an error in the words of the command line. */
export function commandHint({ code, message, hint }: IbidError): string | undefined {
  if (code === 'KEY_MISSING' && !hint?.startsWith(howToSet(searchService))) {
    if (/audio|AUDIO/.test(`${message} ${hint}`)) return howToSet(audioService);
    const isMessages = /messages|MESSAGES/.test(`${message} ${hint}`);
    const set = howToSet(isMessages ? messagesService : searchService);
    return hint?.includes("`embedder: 'local'`") ? `${set} ${withLocal}` : set;
  }
  const noAddress = [searchService, messagesService, audioService].find((one) =>
    hint?.startsWith(`Set ${variable(one, 'BASE_URL')}`),
  );
  if (noAddress) return `${howToSet(noAddress)} Or unset the key.`;
  return hint === undefined ? hintOfCode[code] : inCommandWords(hint);
}

export function inCommandWords(hint: string): string {
  return commandWords.reduce((text, [library, command]) => text.replaceAll(library, command), hint);
}
