import { describePlace, formatCitation } from '../../index.ts';
import { type CommonFlags, printJson, withIndex } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { say } from '../say.ts';
import { counted, dim, printable, printableLine } from '../text.ts';

export async function showCommand(citation: string, flags: CommonFlags, signal: AbortSignal): Promise<number> {
  return await withIndex(flags, signal, async (index) => {
    const passage = await index.show(citation, { signal });
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
    if (web) say(`the page as it was read on ${web.fetchedAt.slice(0, 10)}; it may say something else today`);
    else say(source === 'same' ? 'the file still says so' : `the file ${source}`);
    const { linesLeftOut } = metadata;
    if (typeof linesLeftOut === 'number')
      say(`${counted(linesLeftOut, 'line')} of the file left out: running headers, footers, page numbers`);
    return exitCodes.done;
  });
}
