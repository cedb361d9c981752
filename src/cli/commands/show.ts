import { describePlace, formatCitation, type Passage } from '../../index.ts';
import { citedPassage } from '../cited.ts';
import { type CommonFlags, printJson, withIndex, withoutServers } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { say } from '../say.ts';
import { counted, dim, printable, printableLine } from '../text.ts';

export async function showCommand(citation: string, flags: CommonFlags, signal: AbortSignal): Promise<number> {
  return await withIndex(withoutServers(flags), signal, async (index) => {
    const passage = await citedPassage(index, citation, signal);
    if (flags.json) {
      const reference = formatCitation({
        uri: passage.uri,
        span: passage.span,
        ...(passage.web ? { snapshot: passage.web.snapshot } : {}),
      });
      printJson({ ...passage, ...passage.place, citation: reference, reference });
      return exitCodes.done;
    }
    const where = printableLine(describePlace(passage.place));
    const { before, quote, after, source, web, metadata } = passage;
    say(`${printableLine(passage.title)}  ${dim(`${printableLine(passage.uri)}${where ? `, ${where}` : ''}`)}`);
    say();
    say(`${dim(printable(before))}${printable(quote)}${dim(printable(after))}`);
    say();
    if (passage.words) {
      for (const line of timedLines(passage.words)) say(line);
      say(`${printableLine(passage.media ?? '')}\n`);
    }
    if (web) say(`the page as it was read on ${web.fetchedAt.slice(0, 10)}; it may say something else today`);
    else say(source === 'same' ? 'the file still says so' : `the file ${source}`);
    const { linesLeftOut } = metadata;
    if (typeof linesLeftOut === 'number')
      say(
        `${counted(linesLeftOut, 'line')} of the file left out: running headers, footers, repeated titles of tables, numbers of pages and lines`,
      );
    return exitCodes.done;
  });
}

const WORDS_PER_LINE = 8;

/** Words with the seconds at which they begin; the last one of a line also with its end. */
function timedLines(words: NonNullable<Passage['words']>): string[] {
  const seconds = (ms: number): string => (ms / 1000).toFixed(2);
  return Array.from({ length: Math.ceil(words.length / WORDS_PER_LINE) }, (_, i) => {
    const line = words.slice(i * WORDS_PER_LINE, (i + 1) * WORDS_PER_LINE);
    const said = line.map(({ text, timeMs }) => `${dim(seconds(timeMs[0]))} ${printableLine(text)}`);
    return `${said.join('  ')}  ${dim(seconds(line.at(-1)!.timeMs[1]))}`;
  });
}
