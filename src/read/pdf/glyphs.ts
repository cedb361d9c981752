/** The glyphs that a page draws. */
import { type getDocumentProxy, getResolvedPDFJS } from 'unpdf';

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>;
/** Gives what a page draws; it takes a while, and only the first time. */
export type Operators = () => ReturnType<Page['getOperatorList']>;

/** What each glyph of the page's own text stands for, in the order in which they are drawn; none where that is not known. */
export async function glyphsOf(operators: Operators): Promise<string[]> {
  const glyphs: string[] = [];
  try {
    const { OPS } = await getResolvedPDFJS();
    const { fnArray, argsArray } = await operators();
    let isNote = false;
    for (const [i, operator] of fnArray.entries()) {
      const args: unknown = argsArray[i];
      if (operator === OPS.beginAnnotation) isNote = true;
      else if (operator === OPS.endAnnotation) isNote = false;
      else if (operator === OPS.showText && !isNote && Array.isArray(args) && Array.isArray(args[0])) {
        for (const glyph of args[0]) {
          const unicode: unknown = Reflect.get(Object(glyph), 'unicode');
          if (typeof unicode === 'string') glyphs.push(unicode);
        }
      }
    }
  } catch {
    return []; // the text is known all the same
  }
  return glyphs;
}
