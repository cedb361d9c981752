import { type Attributes, attribute } from '../markup/xml.ts';

/** A paragraph of Word while it is read. */
export interface OpenParagraph {
  text: string;
  style: string;
  list: string;
  level: number;
  outline: number | undefined;
  /** Page of its first text: a page break may come before the text in the same paragraph. */
  page: number;
  /** Page of its last text. */
  lastPage: number;
  readonly notes: string[];
  /** How many boxes stood beside the text when it began: those after them hang on it. */
  readonly boxes: number;
  /** Whether it has text that is not bold. */
  isPlain: boolean;
  /** Whether its end is deleted: the next paragraph goes on with its text. */
  goesOn: boolean;
}

/** What an element inside a paragraph says about it. */
export function setProperty(
  paragraph: OpenParagraph,
  name: string,
  attributes: Attributes,
  value: string | undefined,
): void {
  switch (name) {
    case 'pStyle':
      paragraph.style = value ?? '';
      break;
    case 'numId':
      paragraph.list = value ?? '';
      break;
    case 'ilvl':
      paragraph.level = Number(value ?? 0);
      break;
    case 'outlineLvl':
      paragraph.outline = Number(value ?? 9);
      break;
    case 'footnoteReference':
    case 'endnoteReference':
    case 'commentReference':
      paragraph.notes.push(`${name.slice(0, -9)} ${attribute(attributes, 'id') ?? ''}`);
      break;
  }
}
