import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AskFlags } from './ask-flags.ts';
import {
  addWebOptions,
  common,
  count,
  countFromOne,
  examples,
  filterOptions,
  nonNegative,
  type Runner,
  reading,
} from './options.ts';

/** Written out, so that `--help` loads nothing; the test of the command compares them with the library's. */
export const modes = ['extractive', 'grounded', 'agent', 'research', 'answer'] as const;
export const presets = ['fast-search', 'pro-search', 'deep-research', 'advanced-deep-research'] as const;
const searchModes = ['web', 'academic', 'sec'] as const;
const efforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

const sandboxHelp = 'research: may run code, for arithmetic over your documents; a session costs about 3 cents';
const imagesHelp = 'answer: pictures that go with it (accounts of the second tier on)';
const questionsHelp = 'answer: questions that follow from it';
const instructionsHelp = 'research: replaces the prompt of the preset; the rules for your documents stand beside it';
const metadataHelp = 'research: up to 16 notes that the service keeps with the run';
const searchModeHelp = 'answer: what is searched: the web, papers, or filings of companies';
const languageHelp = 'research, answer: the language to answer in: en, de';

const exits =
  'Exit status: 0 answered or refused, 1 failed or broken off (what was written is printed), 2 usage, ' +
  '3 some questions of a batch failed, 130 interrupted.';

/** `ask`, `research` and `answer`. */
export function addAskingCommands(program: Command, runner: Runner): void {
  addAsk(program, runner);
  addResearch(program, runner);
  addAnswer(program, runner);
}

function addAsk(program: Command, runner: Runner): void {
  const ask = reading(program.command('ask'))
    .summary('answer a question with citations, or say that the documents do not know')
    .description(
      'Without a key: picks the sentences that answer. With IBID_MESSAGES_API_KEY: a model writes from what was found.\n' +
        'Each citation is an exact place, proven against the document. Refuses when the support is too weak.\n' +
        'Without a question, on a terminal: a conversation, until Ctrl-D.',
    )
    .argument('[question]', 'a question in plain words; without it, all of standard input as one question')
    .addOption(
      new Option('--mode <mode>', 'who answers (default: grounded with a key, else extractive)').choices(modes),
    )
    .option('--extractive', 'the same as --mode extractive: no model, no key, no cost')
    .option('--agent', 'the same as --mode agent: a model searches and reads for itself, in a bounded loop')
    .addOption(new Option('--preset <name>', 'how thorough agent and research are').choices(presets))
    .option('--max-steps <n>', 'agent and research: rounds of tools, instead of the preset’s', countFromOne)
    .option('--marks', 'grounded: for a service that gives no citations, let the model mark its sources itself')
    .option('--max-total-tokens <n>', 'agent: tokens of all its steps together, read and written', countFromOne)
    .option(
      '--sentences <n>',
      'extractive: sentences of answer and related passages at most (default: 3; of a list of table rows 12)',
      countFromOne,
    )
    .option('--passages <n>', 'passages looked at', countFromOne)
    .option('--rerank', 'let a model score what was found first, for about half a cent')
    .option('--rerank-model <name>', '--rerank with this model of the messages service')
    .option('--look', 'grounded, agent: show the model the pages and pictures that were found, for scans and figures')
    .option('--batch <file>', 'answer many questions at half the price: JSON lines {"id": …, "question": …}')
    .option(
      '--speak <file>',
      'speak the answer as it is written: .wav, .mp3, .ogg or .opus, captions beside it; - for stdout',
    )
    .option('--play', 'let the answer be heard, with ffplay, mpv or aplay')
    .option('--voice <name>', '--speak and --play: this voice (default: as configured)')
    .option('--dry-run', '--speak and --play: say what speaking would cost, and do not speak')
    .option('--output <file>', 'where --batch writes its answers (default: beside the questions, .answers.jsonl)')
    .option('--sandbox', sandboxHelp)
    .option('--instructions <text>', instructionsHelp)
    .option('--metadata <name=text...>', metadataHelp, noted)
    .option('--language <code>', languageHelp)
    .addOption(new Option('--search-mode <mode>', searchModeHelp).choices(searchModes))
    .option('--images', imagesHelp)
    .option('--related-questions', questionsHelp);
  addWebOptions(modelOptions(ask).option('--where <sql>', 'only chunks for which this SQL condition holds'))
    .addHelpText(
      'after',
      `${examples(
        'ibid ask "When does the lease end?"',
        'ibid ask "What were the audit fees?" --extractive --json',
        'ibid ask "How did the fees change since 2017, and why?" --agent --preset deep-research --budget 0.50',
        'ibid ask "And the year before?" --continue',
        'ibid ask "Which version is current?" --web',
        'ibid ask "When does the lease end?" --fallback answer,research,grounded,extractive',
        'echo "When does the lease end?" | ibid ask',
        'ibid ask "When does the lease end?" --speak answer.mp3 --play',
        'ibid ask --batch questions.jsonl --budget 2',
      )}\n${exits}`,
    )
    .action((question: string | undefined, flags: AskFlags) =>
      runner(async (signal) => (await import('./commands/ask.ts')).askCommand(question, flags, signal)),
    );
}

function addResearch(program: Command, runner: Runner): void {
  const research = reading(program.command('research'))
    .summary('let the research service answer, from the web and from your documents')
    .description(
      'An agent of the search service searches the web and, as a function, this index (needs IBID_SEARCH_API_KEY).\n' +
        'What it says of your documents is cited and proven; pages of the web are listed as links, unchecked.\n' +
        'Passages it asks for are sent to the service.',
    )
    .argument('[question]', 'a question or a task; without it, all of standard input as one')
    .addOption(new Option('--preset <name>', 'how thorough').choices(presets))
    .option('--max-steps <n>', 'rounds of tools, instead of the preset’s', countFromOne)
    .option('--where <sql>', 'only chunks for which this SQL condition holds')
    .option('--no-web', 'your documents alone')
    .option('--sandbox', sandboxHelp)
    .option('--instructions <text>', instructionsHelp)
    .option('--metadata <name=text...>', metadataHelp, noted)
    .option('--language <code>', languageHelp);
  filterOptions(modelOptions(research))
    .addHelpText(
      'after',
      `${examples(
        'ibid research "How do our retention periods compare with the law?"',
        'ibid research "What changed in the standard since our handbook?" --preset deep-research --budget 2',
        'ibid research "By how much did the fees grow in each year?" --no-web --sandbox',
        'ibid research "What is new in the field?" --web-after 2026-01-01 --web-domain example.org --no-wait',
        'ibid research --resume',
      )}\n${exits}`,
    )
    .action((question: string | undefined, flags: AskFlags) =>
      runner(async (signal) => (await import('./commands/research.ts')).researchCommand(question, flags, signal)),
    );
}

function addAnswer(program: Command, runner: Runner): void {
  const answer = common(program.command('answer'))
    .summary('let the answer service answer, from the web alone')
    .description(
      'No document is looked at and none is sent (needs IBID_SEARCH_API_KEY). Its sources are listed as links, unchecked.',
    )
    .argument('[question]', 'a question in plain words; without it, all of standard input as one question')
    .addOption(new Option('--context-size <size>', 'how much of the web is read').choices(['low', 'medium', 'high']))
    .addOption(new Option('--search-mode <mode>', searchModeHelp).choices(searchModes))
    .option('--language <code>', languageHelp)
    .option('--images', imagesHelp)
    .option('--related-questions', questionsHelp);
  filterOptions(modelOptions(answer))
    .addHelpText(
      'after',
      `${examples(
        'ibid answer "Which version of the standard is in force?"',
        'ibid answer "Compare the two proposals" --model answer-pro --context-size high --json',
        'ibid answer "The state of the art in small turbines" --model answer-deep-research --budget 2',
      )}\n${exits}`,
    )
    .action((question: string | undefined, flags: AskFlags) =>
      runner(async (signal) => (await import('./commands/answer.ts')).answerCommand(question, flags, signal)),
    );
}

/** What every way of asking a model takes. */
function modelOptions(command: Command): Command {
  return command
    .option('--fallback <modes>', 'who answers instead when that fails, in order: mode,mode,…', modeList)
    .option('--model <name>', 'of the service that answers; research tries several in order: a,b')
    .addOption(new Option('--effort <level>', 'how hard a model tries').choices(efforts))
    .option(
      '--thinking <tokens>',
      'let the model think first: about so many tokens, 0 = not at all, or adaptive',
      thinking,
    )
    .addOption(
      new Option('--cache <time>', 'how long the service keeps a conversation to read it again').choices(['5m', '1h']),
    )
    .addOption(
      new Option('--inference-geo <where>', 'grounded, agent: where the model works; us costs a tenth more').choices([
        'us',
        'global',
      ]),
    )
    .addOption(
      new Option('--service-tier <tier>', 'grounded, agent: standard_only leaves bought capacity alone').choices([
        'auto',
        'standard_only',
      ]),
    )
    .option('--max-tokens <n>', 'longest answer', countFromOne)
    .option('--budget <usd>', 'refuse before a call that could cost more, in US dollars', nonNegative)
    .addOption(
      new Option('--history <file>', 'the conversation so far, JSON lines {"role", "text"}; the answer is added'),
    )
    .addOption(new Option('--continue', 'go on with the last conversation on this index').conflicts('history'))
    .option('--resume [run]', 'go on with research, or an answer of the deep model, that an earlier command left')
    .addOption(new Option('--cancel [run]', 'end such research at the service').conflicts(['resume', 'batch']))
    .option('--no-wait', 'begin such a run, or a batch, and end; --resume, or the same batch command, fetches it later')
    .option('--no-stream', 'print the answer when it is whole')
    .option('--quotes', 'print the quote of every citation, also where the answer says the same');
}

function thinking(value: string): number | 'adaptive' {
  return value === 'adaptive' ? value : count(value);
}

/** `name=text`, once for each. */
function noted(value: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const at = value.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('must be name=text.');
  return { ...before, [value.slice(0, at)]: value.slice(at + 1) };
}

function modeList(value: string): readonly string[] {
  const names = value.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !(modes as readonly string[]).includes(name));
  if (wrong !== undefined) throw new InvalidArgumentError(`"${wrong}" is no mode. Allowed are ${modes.join(', ')}.`);
  return names;
}
