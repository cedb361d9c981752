import { formatCitation } from '../../answer/citation.ts';
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
    if (flags.json) {
      printJson(answerToJson(answer));
      return exitCodes.done;
    }
    if (answer.band === 'closest') console.log(dim('The closest passages; they may not answer the question.'));
    console.log(answer.answer);
    if (answer.citations.length > 0) console.log();
    for (const citation of answer.citations) {
      const where = describePlace(citation.place);
      const path = [citation.title, ...citation.headings].join(' › ');
      const doubt = citation.verified ? '' : '  (not verified)';
      console.log(`[${citation.n}] ${path}${where ? `, ${where}` : ''}${doubt}`);
      console.log(dim(`    ${formatCitation(citation)}`));
      console.log(`    “${citation.quote.replace(/\s+/gu, ' ')}”`);
    }
    console.log(dim(`support ${answer.support.toFixed(2)}`));
    return exitCodes.done;
  });
}
