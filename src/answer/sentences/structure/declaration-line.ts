/** What a line of a reference declares. */
export interface Declared {
  readonly name: string;
  /** A class, an interface or another type, not a function. */
  readonly isType: boolean;
  /** The line alone may as well be a call: `lift(load)`. */
  readonly mayCall: boolean;
}

const mark = '^[ \\t]*(?:[-*•] )?';
const modifier =
  '(?:@[\\p{L}.]+(?:\\([^()\\n]*\\))?|abstract|async|byte|bool(?:ean)?|char|const|data|def|default|double|export|extern|final|float|fn|func(?:tion)?|inline|int|internal|long|native|open|override|partial|private|protected|public|sealed|short|static|string|synchronized|unsigned|virtual|void)';
const typeName = '[\\p{L}_$][\\p{L}\\p{N}_$.<>,?\\[\\]&*]*';
/** `lpad ( text, length ) → text`, `public static void lift(Load load) throws Overload` */
const functionLine = new RegExp(
  `${mark}(?:${modifier}[\\[\\]*&]*\\s+(?:${typeName}\\s+){0,5}?)?([\\p{L}_$][\\p{L}\\p{N}_$.:]*)[ \\t]?\\([^\\n]*\\)(?:[ \\t]*(?:→|->|throws)[^\\n]*)?$`,
  'u',
);
/** `public class Crane extends Machine` */
const typeLine = new RegExp(
  `${mark}(?:${modifier}\\s+)*(?:class|enum|interface|protocol|record|struct|trait|@interface)\\s+([\\p{L}_$][\\p{L}\\p{N}_$.]*)(?:<[^\\n]*>)?(?:\\s+(?:extends|implements|permits|with)\\s[^\\n.!?]*|\\s*[:(][^\\n.!?]*)?$`,
  'u',
);

/** `: load = lift (rope), : lift (rope, hook)`, as manuals of GNU list the forms of a function. */
const form = /^[ \t]*(?:\p{L}[\p{L} -]{0,30})?: (?:[^=()\n]*=\s+)?(?=\S)/u;
const nextForm = /,\s(?=:\s)/u;

const call = /^[ \t]*[^\s(]+[ \t]?\([^\n]*\)$/u;

/** The function or type that a line of a reference declares, with the words before its name or without. */
export function declaredIn(line: string): Declared | undefined {
  const type = typeLine.exec(line)?.[1];
  if (type !== undefined) return { name: type, isType: true, mayCall: false };
  const isForm = form.test(line);
  const first = isForm ? line.split(nextForm)[0]!.replace(form, '').replace(/\.$/, '') : line;
  const name = functionLine.exec(first)?.[1];
  return name === undefined ? undefined : { name, isType: false, mayCall: !isForm && call.test(first) };
}
