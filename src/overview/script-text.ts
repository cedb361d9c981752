import { objectOf } from '../core/arguments.ts';
import { ownMarks } from '../core/own-files.ts';
import { oneLine } from '../text/one-line.ts';
import type { OverviewScript, ScriptVoice } from './script.ts';

/** A line of a script as a person may have edited it. */
interface ScriptLine {
  readonly voice: ScriptVoice;
  readonly text: string;
  /** In the file, from 1. */
  readonly line: number;
}

/** A source as the script names it; nothing of it is proven yet. */
export interface NamedSource {
  readonly n: number;
  readonly reference: string;
  /** White space apart. */
  readonly quote: string | undefined;
  readonly line: number;
}

interface ReadScript {
  readonly title: string;
  readonly lines: readonly ScriptLine[];
  readonly sources: readonly NamedSource[];
}

const note = `${ownMarks.markdown} "A:" and "B:" begin what a voice says; one sentence a line. [1] names the source, below, that says so. -->`;

/** The script as Markdown that a person can edit: a line for each sentence, then the sources with what they say. */
export function renderScript(script: OverviewScript): string {
  const { title, turns, sources } = objectOf(script, 'the script', 'title', 'turns', 'sources');
  const spoken = turns.map(({ voice, sentences }) =>
    sentences
      .map(({ text, citations }, i) => {
        const marks = citations.map((n) => `[${n}]`).join('');
        return `${i === 0 ? `${voice}:` : '  '} ${oneLine(text)}${marks === '' ? '' : ` ${marks}`}`;
      })
      .join('\n'),
  );
  const cited = sources.map(({ n, reference, quote }) => `[${n}] ${reference}\n> ${oneLine(quote)}`);
  return `${[`# ${oneLine(title)}`, note, ...spoken, '## Sources', ...cited].join('\n\n')}\n`;
}

/** Reads what `renderScript` wrote, edited or not. What it does not know, it takes for text of a voice. */
export function readScript(text: string): ReadScript {
  let title = '';
  let voice: ScriptVoice | undefined;
  let isSource = false;
  const lines: ScriptLine[] = [];
  const sources: NamedSource[] = [];
  const visible = text.replace(/^\uFEFF/, '').replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ''));
  visible.split(/\r?\n/).forEach((raw, i) => {
    const line = i + 1;
    const said = raw.trim();
    if (said === '') return;
    const heading = /^(#{1,6})\s+(.*)$/.exec(raw);
    if (heading) {
      isSource = heading[1] !== '#';
      if (!isSource) title = heading[2]!.trim();
      return;
    }
    if (isSource) {
      const named = /^\[(\d{1,9})\]:?\s+(\S+)$/.exec(said);
      const last = sources.at(-1);
      if (named) sources.push({ n: Number(named[1]), reference: named[2]!, quote: undefined, line });
      else if (last && said.startsWith('>')) {
        const quote = said.replace(/^>\s?/, '');
        sources[sources.length - 1] = { ...last, quote: oneLine(`${last.quote ?? ''} ${quote}`) };
      }
      return;
    }
    const labelled = /^\**([AB])\s*:\**\s*(.*)$/.exec(raw);
    if (labelled) voice = labelled[1] as ScriptVoice; // the pattern has these two
    const own = (labelled?.[2] ?? said).trim();
    if (own !== '') lines.push({ voice: voice ?? 'A', text: own, line });
  });
  return { title, lines, sources };
}
