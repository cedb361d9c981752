/** Who wrote a document in XML, as its format says: JATS, DocBook, TEI and FictionBook. */
import { Parser as Htmlparser } from 'htmlparser2';
import { oneLine } from '../../text/one-line.ts';
import { localName } from './xml.ts';

/** Parts of a name, in the order in which they are said. */
const PARTS = [
  ['given-names', 'firstname', 'first-name', 'forename'],
  ['middle-name', 'othername'],
  ['surname', 'last-name'],
  ['suffix', 'lineage'],
];
const WHOLE = /^(?:string-name|personname|persName|collab|orgname|nickname)$/;
/** What stands around the authors of the document itself. */
const ABOUT = /^(?:article-meta|info|articleinfo|bookinfo|sectioninfo|titleStmt|title-info)$/;
const MOST_AUTHORS = 200;
/** So early in a file stands what it says of itself. */
const LONGEST_START = 400_000;

interface Author {
  readonly parts: string[];
  whole: string;
  text: string;
}

/** Their names, joined by commas; '' where the document names none. */
export function authorsIn(source: string): string {
  const names: string[] = [];
  const open: string[] = [];
  let about = 0;
  let depth = 0;
  let author: Author | undefined;
  let field = '';
  const parser = new Htmlparser(
    {
      onopentag(qualified, attributes) {
        const name = localName(qualified);
        open.push(name);
        if (about === 0 && ABOUT.test(name)) about = open.length;
        field = '';
        if (author) field = name;
        else if (about > 0 && isAuthor(name, attributes)) {
          author = { parts: [], whole: '', text: '' };
          depth = open.length;
        }
      },
      ontext(text) {
        if (!author) return;
        author.text += text;
        const part = PARTS.findIndex((list) => list.includes(field));
        if (part >= 0) author.parts[part] = `${author.parts[part] ?? ''}${text}`;
        else if (WHOLE.test(field)) author.whole += text;
      },
      onclosetag() {
        if (author && open.length === depth) {
          const said = nameOf(author, open.at(-1)!);
          if (said !== '' && names.length < MOST_AUTHORS && !names.includes(said)) names.push(said);
          author = undefined;
        }
        if (open.length === about) about = -1;
        open.pop();
        field = open.at(-1) ?? '';
      },
    },
    { xmlMode: true, decodeEntities: true, recognizeCDATA: true },
  );
  parser.write(source.slice(0, LONGEST_START));
  return names.join(', ');
}

function isAuthor(name: string, attributes: Readonly<Record<string, string>>): boolean {
  return name === 'author' || (name === 'contrib' && /^author$/i.test(attributes['contrib-type'] ?? 'author'));
}

/** @param element of TEI and DocBook, an author may be text alone; a contributor of JATS has notes around the name */
function nameOf({ parts, whole, text }: Author, element: string): string {
  const said = oneLine(Array.from({ length: PARTS.length }, (_, i) => parts[i] ?? '').join(' '));
  return said || oneLine(whole) || (element === 'author' ? oneLine(text) : '');
}
