// The examples in TypeScript that our texts print, as programs of their own: what a reader would have who copies one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as wire from '../../src/wire.ts';
import { referencePath } from './wire-readme.ts';

const root = join(import.meta.dirname, '../..');

/** Texts with examples in TypeScript. */
const texts = ['README.md', 'src/README.md', 'pipelines/README.md', 'src/services/README.md', referencePath];

export interface TextExample {
  readonly text: string;
  /** The heading that it stands under. */
  readonly heading: string;
  readonly code: string;
}

/** The client that the examples of a part of the wire's reference use; the part's first line says so. */
const opened = /^`const (\w+) = create(\w+Service)\(/;

/** What an example of the reference may use and not declare: the reader has it. The reference says so at its head. */
const readers: readonly (readonly [name: RegExp, type: string])[] = [
  [/^(?:id|session_id|\w+Id|manual|report|body|lexicon)$/, 'string'],
  [/^pid$/, 'number'],
  [/^recording$/, 'Uint8Array'],
  [/^headers$/, 'Record<string, string>'],
  [/^(?:show|save)$/, '(text: string) => void'],
  [/^listed$/, "{ tools: import('ibid/wire').messages.McpTool[] }"],
  [/^call$/, "import('ibid/wire').messages.McpCall"],
];

/** Each block of TypeScript in our texts, in order. */
export function textExamples(): TextExample[] {
  return texts.flatMap((text) => {
    const found: TextExample[] = [];
    let [heading, client] = ['', ''];
    const parts = readFileSync(join(root, text), 'utf8').matchAll(
      /^#+ (.+)$|^(`const \w+ = create.*)$|^```ts\n([\s\S]*?)^```$/gm,
    );
    for (const [, title, opening, code] of parts) {
      if (title !== undefined) heading = title;
      else if (opening !== undefined) client = opening;
      else found.push({ text, heading, code: client === '' ? code! : `${headOf(code!, client)}${code}` });
    }
    return found;
  });
}

/** What stands before an example of the reference: its client, what it takes from the door, what the reader has. */
function headOf(code: string, client: string): string {
  const [, variable = '', service = ''] = opened.exec(client)!;
  const words = new Set([...code.matchAll(/(?<![.\w'"`-])[A-Za-z_]\w*/g)].map(([word]) => word));
  const takes = (name: string): boolean => words.has(name) && name !== variable;
  const declared = new Set(
    [...code.matchAll(/\b(?:const|let|function\*?|of) (?:\{([^}]*)\}|\[([^\]]*)\]|(\w+))/g)].flatMap(
      ([, fields = '', items = '', name = '']) => `${fields},${items},${name}`.match(/\w+(?=\s*(?:,|=|$))/g) ?? [],
    ),
  );
  const own = Object.keys(wire).filter(takes);
  const [group, functions] = service === 'AudioService' ? ['audio', wire.audio] : ['messages', wire.messages];
  const grouped = Object.keys(functions).filter((name) => takes(name) && !own.includes(name));
  const mine = [...words].filter((word) => !declared.has(word) && !own.includes(word));
  return [
    `import { ${[...own, `${group} as group`].join(', ')} } from 'ibid/wire';`,
    `const { ${grouped.join(', ')} } = group;`,
    `declare const ${variable}: import('ibid/wire').${service};`,
    ...mine.flatMap((word) =>
      readers.flatMap(([name, type]) => (name.test(word) ? [`declare const ${word}: ${type};`] : [])),
    ),
    '',
  ].join('\n');
}
