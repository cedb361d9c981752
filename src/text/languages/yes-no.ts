const yes = /^(?:yes|y|true|✓|✔|☑|✅|ja|oui|sí|si|sì|sim|tak|да|是|はい)$/iu;
const no = /^(?:no|n|false|✗|✘|☐|❌|nein|nee|non|não|nej|nie|нет|否|いいえ)$/iu;

/** The value of a cell that holds a yes or a no; undefined for other cells. */
export function yesOrNo(cell: string): boolean | undefined {
  const said = cell.trim();
  return yes.test(said) ? true : no.test(said) ? false : undefined;
}
