import { IbidError, type RecordedSpeaker, type SearchIndex } from '../../index.ts';
import { type CommonFlags, printJson, withIndex } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { say, tell } from '../say.ts';
import { clock, counted, printableLine } from '../text.ts';
import { isAboveAll, uriOf } from '../uri-of.ts';
import { duration } from './paid.ts';

export interface SpeakersFlags extends CommonFlags {
  readonly name: readonly string[];
}

/** @param named a recording or a folder of recordings, as a path or as a uri of the index */
export async function speakersCommand(named: string, flags: SpeakersFlags, signal: AbortSignal): Promise<number> {
  const names = Object.fromEntries(flags.name.map(nameOf));
  return await withIndex(flags, signal, async (index) => {
    const found = (await uriOf(index, named)) ?? named;
    const uri = isAboveAll(found) ? '' : found;
    let status: number = exitCodes.done;
    const isRecording = async (): Promise<boolean> => (await index.document(uri))?.format === 'recording';
    if (flags.name.length > 0) {
      if (await isRecording()) checkNumbers(names, await index.speakers(uri));
      const { updated, failed } = await index.nameSpeakers(uri, names, { signal });
      if (!flags.json) say(`names are in ${counted(updated, 'recording')}`);
      for (const one of failed) tell(`failed  ${printableLine(one.uri)}: ${printableLine(one.message)} [${one.code}]`);
      if (failed.length > 0) status = exitCodes.someFailed;
    }
    const below = (await isRecording()) ? [] : await recordingsBelow(index, uri);
    if (below.length === 0) {
      const speakers = await index.speakers(uri);
      if (flags.json) printJson(speakers);
      else printSpeakers(speakers);
      return status;
    }
    const all = await Promise.all(below.map(async (one) => ({ uri: one, speakers: await index.speakers(one) })));
    if (flags.json) printJson(all);
    else if (flags.name.length === 0) {
      for (const { uri: one, speakers } of all) {
        say(printableLine(one));
        printSpeakers(speakers);
      }
    }
    return status;
  });
}

/** Recordings of a folder, '' for all, in the order of their uris. */
async function recordingsBelow(index: SearchIndex, folder: string): Promise<string[]> {
  const start = folder === '' ? '' : `${folder}/`;
  const found: string[] = [];
  for await (const { uri, format } of index.documents())
    if (format === 'recording' && uri.startsWith(start)) found.push(uri);
  return found.sort();
}

function printSpeakers(speakers: readonly RecordedSpeaker[]): void {
  if (speakers.length === 0) say('the transcript names no speakers');
  for (const { number, name, spokenMs, firstMs, says } of speakers) {
    const where = `${duration(spokenMs)} from ${clock(firstMs)}`;
    say(`${number}  ${printableLine(name)}, ${where}: “${printableLine(says)}”`);
  }
}

/** @throws IbidError INVALID_ARGUMENT for a number that no speaker has */
function checkNumbers(names: Readonly<Record<string, string>>, speakers: readonly RecordedSpeaker[]): void {
  const wrong = Object.keys(names).find(
    (one) => /^\d+$/.test(one) && !speakers.some(({ number }) => `${number}` === one),
  );
  if (wrong === undefined) return;
  throw new IbidError('INVALID_ARGUMENT', `the recording has no speaker ${wrong}`, {
    hint: `Its speakers are ${speakers.map(({ number, name }) => `${number} (${name})`).join(', ') || 'not known'}.`,
  });
}

/** `2=Ailsa`. @throws IbidError INVALID_ARGUMENT */
function nameOf(text: string): [string, string] {
  const [, speaker, name] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (speaker !== undefined && name !== undefined) return [speaker.trim(), name.trim()];
  throw new IbidError('INVALID_ARGUMENT', `"${text}" is not speaker=name`, { hint: 'Write it as 2="Ailsa Munro".' });
}
