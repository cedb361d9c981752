import type { Path } from './check.ts';

/**
 * The line, from 1, of the value at a path of a JSON text; of a property the line of its name. The text is known to be
 * JSON. Of a path that leads nowhere, the line of the last part that is there.
 */
export function lineOf(text: string, path: Path): number {
  const tokens = text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs);
  const open: { readonly isList: boolean; key: string | number }[] = [];
  let best = { depth: -1, at: 0 };
  let expectsName = false;
  for (const { 0: token, index } of tokens) {
    const top = open.at(-1);
    const isName = expectsName && token.startsWith('"');
    if (isName) top!.key = JSON.parse(token) as string; // a text
    const depth = open.length;
    const isOnPath = open.every(({ key }, i) => key === path[i]);
    if (depth <= path.length && depth > best.depth && isOnPath && (isName || top?.isList !== false) && token !== ']')
      best = { depth, at: index };
    if (token === '{' || token === '[') open.push({ isList: token === '[', key: token === '[' ? 0 : '' });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',' && top?.isList) top.key = (top.key as number) + 1; // a list counts
    expectsName = token === '{' || (token === ',' && top?.isList === false);
  }
  return text.slice(0, best.at).split('\n').length;
}

/** The line, from 1, where a text stops to be JSON. */
export function brokenLine(text: string): number {
  const tokens = [...text.matchAll(/"(?:[^"\\\n]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|"/g)];
  const closers: string[] = [];
  let wants: 'value' | 'name' | 'colon' | 'comma' = 'value';
  let mayClose = false;
  for (const { 0: token, index } of tokens) {
    const broken = (): number => text.slice(0, index).split('\n').length;
    const isText = token.length > 1 && token.startsWith('"');
    if ((mayClose || wants === 'comma') && token === closers.at(-1)) {
      closers.pop();
      wants = 'comma';
    } else if (wants === 'comma') {
      if (token !== ',' || closers.length === 0) return broken();
      wants = closers.at(-1) === '}' ? 'name' : 'value';
    } else if (wants === 'name') {
      if (!isText) return broken();
      wants = 'colon';
    } else if (wants === 'colon') {
      if (token !== ':') return broken();
      wants = 'value';
    } else if (token === '{' || token === '[') {
      closers.push(token === '{' ? '}' : ']');
      wants = token === '{' ? 'name' : 'value';
      mayClose = true;
      continue;
    } else if (!isText && !/^(?:true|false|null|-?\d[\d.eE+-]*)$/.test(token)) return broken();
    else wants = 'comma';
    mayClose = false;
  }
  return text.trimEnd().split('\n').length;
}
