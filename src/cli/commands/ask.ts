import { type CommonFlags, printJson, withIndex } from '../context.ts';
import { exitCodes } from '../errors.ts';
import { answerToJson } from '../json.ts';
import { describePlace, dim } from '../text.ts';

export interface AskFlags extends CommonFlags {
  readonly where?: string;
  readonly sentences: number;
}

export async function askCommand(question: string, flags: AskFlags, signal: AbortSignal): Promise<number> {
  return await withIndex(flags, signal, async (index) => {
    const answer = await index.ask(question, { signal, where: flags.where, sentences: flags.sentences });
    const json = answerToJson(answer);
    if (flags.json) {
      printJson(json);
      return exitCodes.done;
    }
    if (answer.band === 'closest') console.log(dim('The closest passages; they may not answer the question.'));
    console.log(answer.answer);
    if (json.citations.length > 0) console.log();
    for (const { n, uri, title, quote, span: _, verified, answerSpan: __, citation, ...place } of json.citations) {
      const where = describePlace(place);
      console.log(`[${n}] ${title}${where ? `, ${where}` : ''}${verified ? '' : '  (not verified)'}`);
      console.log(dim(`    ${citation}`));
      console.log(`    “${quote.replace(/\s+/gu, ' ')}”`);
    }
    console.log(dim(`support ${answer.support.toFixed(2)}`));
    return exitCodes.done;
  });
}
