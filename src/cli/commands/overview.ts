import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  IbidError,
  type Overview,
  type OverviewOptions,
  type OverviewSound,
  overviewCaptions,
  overviewPage,
  type SearchIndex,
  type Speaker,
} from '../../index.ts';
import { budgetOf } from '../ask-flags.ts';
import { type CommonFlags, printJson, withIndex } from '../context.ts';
import { programEnvironment } from '../environment.ts';
import { exitCodes } from '../exit-codes.ts';
import { checkWritable, readText, replaceFile } from '../files.ts';
import { say, tell } from '../say.ts';
import { openSpeaker } from '../speech.ts';
import { counted, printable, printableLine } from '../text.ts';
import { isAboveAll, uriOf } from '../uri-of.ts';
import { duration, usd } from './paid.ts';

export interface OverviewFlags extends CommonFlags {
  readonly out?: string;
  readonly script?: string;
  readonly fromScript?: string;
  readonly minutes: number;
  readonly voices?: readonly string[];
  readonly extractive?: boolean;
  readonly model?: string;
  readonly where?: string;
  readonly dryRun?: boolean;
  readonly budget?: number;
  readonly quiet?: boolean;
}

/** Writes a script of two voices, and speaks it. */
export async function overviewCommand(
  words: readonly string[],
  flags: OverviewFlags,
  signal: AbortSignal,
): Promise<number> {
  const { out, script, fromScript } = flags;
  if (script !== undefined && out !== undefined)
    throw new IbidError('INVALID_ARGUMENT', '--script stops before the sound, and --out is the sound', {
      hint: 'Write the script first, then speak it: --from-script script.md --out overview.mp3',
    });
  if (fromScript !== undefined && words.length > 0)
    throw new IbidError('INVALID_ARGUMENT', '--from-script has its subject already: name no question and no path');
  const files = [
    ...(out === undefined ? [] : filesOf(out)),
    ...(script === undefined || script === '-' ? [] : [script]),
  ];
  for (const file of files) {
    if (file !== '' && !existsSync(dirname(resolve(file))))
      throw new IbidError('FILE_UNREADABLE', `there is no folder for "${file}"`, { hint: 'Make its folder first.' });
    checkWritable(file); // what is to be written may cost
  }
  const given = fromScript === undefined ? undefined : scriptText(fromScript);
  const isSpoken = out !== undefined || (flags.dryRun === true && script === undefined);
  await using opened = isSpoken ? await openSpeaker(flags.settings) : undefined;
  return await withIndex(flags, signal, async (index) => {
    const sound = opened && soundOf(opened.speaker, flags);
    const options = { ...(await subjectOf(index, words)), ...optionsOf(flags), script: given, sound, signal };
    const overview = await made(index, options, flags);
    return report(overview, flags, options.question !== undefined);
  });
}

function scriptText(path: string): string {
  const text = readText(path);
  if (text !== undefined) return text;
  throw new IbidError('FILE_UNREADABLE', `there is no script "${path}"`);
}

function optionsOf(flags: OverviewFlags): OverviewOptions {
  const { minutes, extractive, model, where, dryRun } = flags;
  const { writer } = flags.settings.config.models ?? {};
  // a model of a configured server is opened with the index
  const name = writer?.server === undefined ? (model ?? (writer?.service && writer.model)) : undefined;
  return {
    ...{ minutes, where, dryRun, budget: budgetOf(flags) },
    ...(extractive ? { mode: 'extractive' } : {}),
    ...(name === undefined ? {} : { model: { model: name } }),
  };
}

function soundOf(speaker: Speaker, { out, voices }: OverviewFlags): OverviewSound {
  const format = out?.toLowerCase().endsWith('.mp3') ? 'mp3' : 'wav';
  return { speaker, voices, format, encoder: { environment: programEnvironment() } };
}

/** Words that are documents or folders of the index are paths, the others a question. */
async function subjectOf(
  index: SearchIndex,
  words: readonly string[],
): Promise<Pick<OverviewOptions, 'question' | 'paths'>> {
  const paths: string[] = [];
  const asked: string[] = [];
  for (const word of words) {
    const uri = await uriOf(index, word);
    if (uri === undefined) asked.push(word);
    else paths.push(uri);
  }
  // all of the index
  const folders = paths.some(isAboveAll) ? [] : paths;
  return { paths: folders, ...(asked.length > 0 ? { question: asked.join(' ') } : {}) };
}

async function made(index: SearchIndex, options: OverviewOptions, flags: OverviewFlags): Promise<Overview> {
  const note = (text: string): void => {
    if (!flags.quiet) tell(text);
  };
  for await (const event of index.overview(options)) {
    if (event.type === 'evidence') note(`${counted(event.passages, 'passage')} of the documents`);
    if (event.type === 'script')
      note(`script: ${counted(event.script.turns.length, 'turn')}, ${counted(event.script.sources.length, 'source')}`);
    if (event.type === 'spoken')
      note(`spoken: part ${event.part} of ${event.parts}, ${duration(event.seconds * 1000)} so far`);
    if (event.type === 'done') return event.overview;
  }
  throw new IbidError('RESPONSE_INVALID', 'the overview ended without an end');
}

function report(overview: Overview, flags: OverviewFlags, isAsked: boolean): number {
  const { abstained, text, sound, topics, dropped, grounding, estimate, costUsd } = overview;
  const files = abstained || flags.dryRun ? [] : written(overview, flags);
  if (flags.json) {
    const { audio: _, ...heard } = sound ?? { audio: undefined };
    printJson({ ...overview, ...(sound ? { sound: heard } : {}), files });
  } else if (flags.dryRun) {
    for (const { path, share } of topics)
      say(`${`${Math.round(100 * share)} %`.padStart(5)}  ${printableLine(path.join(' › '))}`);
    const { scriptUsd, soundUsd, characters = 0 } = estimate ?? {};
    if (overview.mode === 'grounded')
      say(`script  ${scriptUsd === undefined ? 'price not known' : `at most ${usd(scriptUsd)}`}`);
    say(
      `sound   about ${counted(characters, 'character')}, ${soundUsd === undefined ? 'price not known' : usd(soundUsd)}`,
    );
  } else if (!abstained && files.length === 0) say(printable(text).trimEnd());
  else for (const file of files) if (file !== '-') say(printableLine(file));
  if (dropped.length > 0)
    tell(`${counted(dropped.length, 'sentence or citation', 'sentences or citations')} left out: not proven`);
  if (grounding)
    tell(
      `written by ${printable(grounding.model)}: ${grounding.usage.inputTokens} tokens in, ${grounding.usage.outputTokens} out, ${usd(grounding.costUsd)}`,
    );
  if (sound) {
    const { speaker, characters } = sound.usage;
    const price = sound.usage.costUsd === undefined ? 'price not known' : usd(sound.usage.costUsd);
    tell(
      `said by ${printable(speaker)}: ${counted(characters, 'character')}, ${duration(sound.seconds * 1000)}, ${price}`,
    );
  }
  if (costUsd > 0) tell(`${usd(costUsd)} in all`);
  if (!abstained) return exitCodes.done;
  tell(
    isAsked
      ? 'the indexed documents do not seem to say anything about this'
      : 'there is no sentence in the documents that can be told',
  );
  return exitCodes.someFailed;
}

/** Each file is whole or not there. @returns their names */
function written({ script, text, sound }: Overview, { script: scriptFile, out, json }: OverviewFlags): string[] {
  if (scriptFile === '-') {
    if (json) return []; // the JSON has the text
    process.stdout.write(printable(text));
    return ['-'];
  }
  if (scriptFile !== undefined) {
    replaceFile(scriptFile, text);
    return [scriptFile];
  }
  if (out === undefined || !sound) return [];
  const [soundFile, captions, page] = filesOf(out);
  replaceFile(soundFile, sound.audio);
  replaceFile(captions, overviewCaptions(script, sound));
  replaceFile(page, overviewPage(script, sound));
  return [soundFile, captions, page];
}

/** Sound, captions and page. */
function filesOf(out: string): [sound: string, captions: string, page: string] {
  const stem = out.replace(/\.[^.]+$/, '');
  return [out, `${stem}.vtt`, `${stem}.html`];
}
