import { type CommonFlags, printJson, withIndex } from '../context.ts';
import { exitCodes } from '../errors.ts';
import { describePlace, dim } from '../text.ts';

export async function showCommand(citation: string, flags: CommonFlags, signal: AbortSignal): Promise<number> {
  return await withIndex(flags, signal, async (index) => {
    const passage = await index.show(citation, { signal });
    if (flags.json) {
      printJson(passage);
      return exitCodes.done;
    }
    const where = describePlace(passage.place);
    console.log(`${passage.title}  ${dim(`${passage.uri}${where ? `, ${where}` : ''}`)}`);
    console.log();
    console.log(`${dim(passage.before)}${passage.quote}${dim(passage.after)}`);
    console.log();
    console.log(passage.source === 'same' ? 'the file still says so' : `the file ${passage.source}`);
    return exitCodes.done;
  });
}
