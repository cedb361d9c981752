/** Drawings in SVG: what they show as text, in the order in which it is drawn. */
import { Parser as Htmlparser } from 'htmlparser2';
import { oneLine } from '../../text/one-line.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { rootStart } from '../prolog.ts';
import { localName } from './xml.ts';

const SVG = /^<(?:\w+:)?svg[\s>]/;
const LONGEST_START = 20_000;
/** Elements without words that are seen. */
const SILENT = /^(?:style|script|metadata)$/;
/** Elements of a page in a drawing that end a line. */
const ENDS_LINE = /^(?:p|div|li|tr|br|h[1-6]|td|th)$/;
/** Text in these is a label by itself. */
const TEXTS = /^(?:text|foreignObject)$/;

export function isSvg(source: string): boolean {
  const start = source.slice(0, LONGEST_START);
  return SVG.test(start.slice(rootStart(start)));
}

/** Signs that a drawing in a page may write by the names of HTML. */
const BLANK = /&(?:nbsp|#160|#xa0);/gi;

/** The lines of a drawing that stands in a page; '' for one without labels, such as a sign on a button. */
export function svgLabels(source: string): string {
  if (!/<(?:text|foreignObject)[\s>]/i.test(source)) return '';
  return parseSvg(source.replace(BLANK, ' '), { maxTextChars: Number.MAX_SAFE_INTEGER }).text.replace(/\n+/g, '\n');
}

/** Its title as a heading, descriptions and labels as paragraphs; labels of one group stand together. */
export function parseSvg(source: string, context: Pick<ParseContext, 'maxTextChars'>): ParsedDocument {
  const builder = new DocumentBuilder('svg', context);
  const open: string[] = [];
  let text = '';
  /** Where the text began that is open, in `open`; -1 outside of texts. */
  let from = -1;
  let group: string[] = [];
  let silent = 0;
  /** Of each `switch` around: whether one of its children was read, which goes before the others. */
  const switches: { readonly depth: number; isRead: boolean }[] = [];
  const flush = (): void => {
    builder.block({ kind: 'paragraph' }, group.join('\n'));
    group = [];
  };
  const parser = new Htmlparser(
    {
      onopentag(qualified, attributes) {
        const name = localName(qualified);
        const choice = switches.at(-1);
        const isOther = choice?.depth === open.length && choice.isRead;
        open.push(name);
        if (silent > 0 || SILENT.test(name) || isOther) {
          silent++;
          return;
        }
        if (name === 'switch') switches.push({ depth: open.length, isRead: false });
        if (name === 'g' || name === 'title' || name === 'desc') flush();
        if (from >= 0) {
          // A line of a text is placed by itself.
          const isLine = name === 'tspan' && (attributes.x !== undefined || attributes.y !== undefined);
          if (isLine || ENDS_LINE.test(name)) text += '\n';
        } else if (TEXTS.test(name) || name === 'title' || name === 'desc') {
          from = open.length;
          text = '';
        }
      },
      ontext(piece) {
        if (silent === 0 && from >= 0) text += piece.replace(/\s+/g, ' ');
      },
      onclosetag() {
        const depth = open.length;
        const name = open.pop()!;
        if (silent > 0) {
          silent--;
          return;
        }
        if (name === 'switch') switches.pop();
        if (from === depth) {
          const lines = text.split('\n').map(oneLine);
          const label = lines.filter((line) => line !== '').join('\n');
          const isTitle = name === 'title' && depth === 2 && builder.title === '' && label !== '';
          if (isTitle) {
            builder.title = oneLine(label);
            builder.block({ kind: 'heading', level: 1, label: builder.title }, builder.title);
          } else if (label !== '') group.push(label);
          if (name === 'desc') flush();
          from = -1;
        } else if (from >= 0 && ENDS_LINE.test(name)) text += '\n';
        if (name === 'g') flush();
        const choice = switches.at(-1);
        if (choice && choice.depth === open.length && label(name)) choice.isRead = true;
      },
    },
    { xmlMode: true, decodeEntities: true, recognizeCDATA: true },
  );
  parser.write(source);
  parser.end();
  flush();
  return builder.build();

  /** A child of `switch` that says something. */
  function label(name: string): boolean {
    return name === 'foreignObject' || name === 'text' || name === 'g';
  }
}
