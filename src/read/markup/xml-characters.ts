/** Characters that XML writes by the names of HTML, as the document types of DocBook, JATS and TEI allow: `caf&eacute;`. */
import { Parser as Htmlparser } from 'htmlparser2';

const NAMED = /&([A-Za-z][A-Za-z\d]{1,30});/g;
/** Those that the parser of XML resolves. */
const OWN: ReadonlySet<string> = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);
const DECLARED = /<!ENTITY\s+([\w.-]+)\s/g;
const LONGEST_START = 100_000;
const CDATA = '<![CDATA[';

/** The source with these characters as such. What the file declares itself, and what HTML does not know, stays. */
export function withCharacters(source: string): string {
  if (!source.includes('&')) return source;
  const declared = new Set(Array.from(source.slice(0, LONGEST_START).matchAll(DECLARED), ([, name]) => name!));
  const known = new Map<string, string>();
  const replaced = (text: string): string =>
    text.replace(NAMED, (whole, name: string) => {
      if (OWN.has(name) || declared.has(name)) return whole;
      const character = known.get(name) ?? characterOf(whole);
      known.set(name, character);
      return character;
    });
  const out: string[] = [];
  let at = 0;
  for (let from = source.indexOf(CDATA); from !== -1; from = source.indexOf(CDATA, at)) {
    const close = source.indexOf(']]>', from);
    const end = close === -1 ? source.length : close + 3;
    out.push(replaced(source.slice(at, from)), source.slice(from, end));
    at = end;
  }
  out.push(replaced(source.slice(at)));
  return out.join('');
}

function characterOf(entity: string): string {
  let text = '';
  const parser = new Htmlparser({ ontext: (piece) => (text += piece) }, { decodeEntities: true });
  parser.write(entity);
  parser.end();
  return text === '<' || text === '&' ? entity : text;
}
