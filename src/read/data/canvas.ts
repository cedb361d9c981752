/** Boards of cards in JSON Canvas, as Obsidian writes them. @see jsoncanvas.org */
import { isRecord } from '../../core/records.ts';
import { oneLine } from '../../text/one-line.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { parseJson } from './json.ts';

interface Card {
  readonly id: string;
  readonly type: string;
  /** Markdown of a text, path of a file, address of a link, label of a group. */
  readonly said: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const SAID: Readonly<Record<string, string>> = { text: 'text', file: 'file', link: 'url', group: 'label' };
/** Larger boards are read without their groups. */
const MOST_PAIRS = 1e6;
/** Of a card, beside an arrow. */
const LONGEST_NAME = 60;

/**
 * Cards from top to bottom, and from left to right; those in a group below its label. Arrows with a label are lines of
 * their own, files on the board are links. What is no board is read as JSON.
 */
export async function parseCanvas(source: string, context: ParseContext): Promise<ParsedDocument> {
  const board = boardOf(source);
  if (!board) return parseJson(source, context);
  const { cards, edges } = board;
  const builder = new DocumentBuilder('markdown', context);
  const groups = inOrder(cards.filter(({ type }) => type === 'group'));
  const others = inOrder(cards.filter(({ type }) => type !== 'group'));
  const isBounded = groups.length * others.length <= MOST_PAIRS;
  const smallFirst = groups.toSorted((a, b) => a.width * a.height - b.width * b.height);
  const inGroup = new Map<Card | undefined, Card[]>();
  for (const card of others) {
    const group = isBounded ? smallFirst.find((one) => holds(one, card)) : undefined;
    const own = inGroup.get(group);
    if (own) own.push(card);
    else inGroup.set(group, [card]);
  }
  const names = new Map(cards.map(({ id, said }) => [id, nameOf(said)]));
  const arrows = edges.flatMap(({ fromNode, toNode, label }) =>
    typeof label === 'string' && label.trim() !== ''
      ? [`${names.get(String(fromNode)) ?? ''} – ${oneLine(label)} → ${names.get(String(toNode)) ?? ''}`]
      : [],
  );
  builder.block({ kind: 'paragraph' }, arrows.join('\n')); // first, so that no heading stands over them
  for (const group of [undefined, ...groups]) {
    if (group) builder.block({ kind: 'heading', level: 1, label: group.said }, group.said);
    for (const { type, said } of inGroup.get(group) ?? []) {
      if (type === 'text' && said.trim() !== '')
        builder.include(await context.parseInner('card.md', Buffer.from(said)), { levels: group ? 1 : 0 });
      else if (type === 'link') builder.block({ kind: 'paragraph' }, said);
    }
  }
  const files = others.filter(({ type }) => type === 'file').map(({ said }) => said.replace(/\.md$/i, ''));
  const linked = [...new Set([builder.metadata.links ?? [], files].flat())].join(', ');
  if (linked !== '') builder.metadata.links = linked;
  return builder.build();
}

function boardOf(
  source: string,
): { readonly cards: readonly Card[]; readonly edges: readonly Readonly<Record<string, unknown>>[] } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || !Array.isArray(value.nodes)) return undefined;
  const cards = value.nodes.filter(isRecord).flatMap((node): Card[] => {
    const type = String(node.type);
    const said = node[SAID[type] ?? ''];
    const [x, y, width, height] = [node.x, node.y, node.width, node.height].map(Number) as [
      number,
      number,
      number,
      number,
    ];
    return typeof said === 'string' ? [{ id: String(node.id), type, said, x, y, width, height }] : [];
  });
  return { cards, edges: Array.isArray(value.edges) ? value.edges.filter(isRecord) : [] };
}

function inOrder(cards: readonly Card[]): Card[] {
  return [...cards].sort((a, b) => a.y - b.y || a.x - b.x);
}

function holds(group: Card, { x, y, width, height }: Card): boolean {
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  return (
    middleX >= group.x && middleX <= group.x + group.width && middleY >= group.y && middleY <= group.y + group.height
  );
}

function nameOf(said: string): string {
  const line = oneLine(said.split('\n')[0]!.replace(/^#+\s*/, ''));
  return line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME).trimEnd()}…` : line;
}
