/** Plain walks over XML and HTML, without the parsers of ibid: pieces of text with the elements they stand in. */

export interface Element {
  /** In lower case, without the prefix of its namespace. */
  readonly name: string;
  readonly attributes: string;
}

export interface Walker {
  open?(element: Element, above: readonly Element[]): void;
  /** @param above the elements around, outermost first */
  text(text: string, above: readonly Element[]): void;
  close?(element: Element, above: readonly Element[]): void;
}

const TOKEN =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[(?<cdata>[\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<![a-z][^>]*>|<(?<closing>\/)?(?<tag>[a-z][\w:.-]*)(?<attributes>(?:=\s*(?:"[^"]*"|'[^']*'|(?=[^\s"']))|[^>=]|=(?=\s*>))*)>|(?<text>[^<]+|<)/giu;

export function walkXml(xml: string, walker: Walker): void {
  walkMarkup(xml, walker, () => false);
}

const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const RAW = new Set(['script', 'style', 'textarea', 'title', 'noscript', 'iframe', 'xmp']);
const CLOSED_BY: Readonly<Record<string, readonly string[]>> = {
  li: ['li'],
  dt: ['dt', 'dd'],
  dd: ['dt', 'dd'],
  tr: ['tr', 'td', 'th'],
  td: ['td', 'th'],
  th: ['td', 'th'],
  option: ['option'],
  p: ['p'],
};

/** HTML: elements without an end, and those that the next one of their kind ends. */
export function walkHtml(html: string, walker: Walker): void {
  walkMarkup(html, walker, (name) => VOID.has(name));
}

function walkMarkup(source: string, walker: Walker, isVoid: (name: string) => boolean): void {
  const html = isVoid('br');
  const stack: Element[] = [];
  const token = new RegExp(TOKEN);
  const pop = (): void => {
    const element = stack.pop()!;
    walker.close?.(element, stack);
  };
  for (let found = token.exec(source); found; found = token.exec(source)) {
    const { cdata, closing, tag, attributes = '', text } = found.groups!;
    if (tag === undefined) {
      const plain = cdata ?? decode(text ?? '');
      if (plain !== '') walker.text(plain, stack);
      continue;
    }
    const name = (html ? tag : tag.replace(/^.*:/u, '')).toLowerCase();
    if (closing) {
      const at = stack.findLastIndex((element) => element.name === name);
      while (at >= 0 && stack.length > at) pop();
      continue;
    }
    const ended = html ? (CLOSED_BY[name] ?? []) : [];
    while (stack.length > 0 && ended.includes(stack.at(-1)!.name)) pop();
    const element = { name, attributes };
    walker.open?.(element, stack);
    if (isVoid(name) || (!html && attributes.endsWith('/'))) walker.close?.(element, stack);
    else stack.push(element);
    if (!html || !RAW.has(name)) continue;
    // Up to its end tag the content is text, whatever it looks like.
    const end = new RegExp(`</${name}\\b`, 'giu');
    end.lastIndex = token.lastIndex;
    const until = end.exec(source)?.index ?? source.length;
    walker.text(decode(source.slice(token.lastIndex, until)), stack);
    token.lastIndex = until;
  }
}

/** @returns undefined when the element has no such attribute */
export function attributeOf({ attributes }: Element, name: string): string | undefined {
  const found = new RegExp(
    `(?:^|[\\s:])${name}(?:\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>/]+))|(?=[\\s/]|$))`,
    'iu',
  ).exec(attributes);
  return found ? decode(found[1] ?? found[2] ?? found[3] ?? '') : undefined;
}

const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const ENTITIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(LATIN.split(' ').map((name, i) => [name, String.fromCharCode(160 + i)])),
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", ndash: '–', mdash: '—', hellip: '…', bull: '•' },
  ...{ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', larr: '←', rarr: '→', uarr: '↑', darr: '↓', sum: '∑' },
  ...{ minus: '−', le: '≤', ge: '≥', ne: '≠', euro: '€', trade: '™', nbsp: ' ', ensp: ' ', emsp: ' ', thinsp: ' ' },
};

function decode(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));?/giu, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name as string] ?? whole; // the groups are strings or absent
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex as string, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
  });
}
