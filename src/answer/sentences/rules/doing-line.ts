import { asksToImport, asksToInstall } from '../../../text/languages/doing.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: a line of code has few words of a question, and no others. */
const gain = 7;
/** `$ npm install --save hoist`, `pip install hoist`, `go get hoist`: a program, what it does, and with what. */
const installs =
  /^[ \t]*(?:[$>%] ?)?(?:sudo )?[a-z][\w.-]*(?: -{0,2}[a-z][\w.-]*){0,3}? (?:install|i|add|get)((?: [^\s#]+)+)/gmu;
/** A module in quotes behind `from` or `require`; `from hoist import rope`, `use hoist::Rope` */
const imports =
  /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["']([^"'\n]+)["']|^[ \t]*(?:>>> )?(?:from|import|use)\s+([\p{L}\p{N}_.-]+)/gmu;

const doingAsked = once(({ text }) =>
  asksToInstall.test(text) ? 'install' : asksToImport.test(text) ? 'import' : undefined,
);

/**
 * How much a line of code gains since it does what the question asks how to do with what it names: `How do I install
 * hoist?`, answered by `npm install hoist`; `How is hoist imported?`, by `from hoist import rope`; else 0.
 */
export function doingGain(question: Question, candidate: Candidate): number {
  if (candidate.unit.kind === 'row') return 0;
  const asks = doingAsked(question);
  if (asks === undefined) return 0;
  const text = textOf(candidate);
  const said =
    asks === 'install'
      ? Array.from(text.matchAll(installs), ([, given]) => given!.trim().split(' ')).flat()
      : Array.from(text.matchAll(imports), ([, quoted, bare]) => quoted ?? bare!);
  if (said.length === 0) return 0;
  const asked = new Set(question.text.toLowerCase().split(/[\s?!,;"'`()]+/u));
  return said.some((one) => asked.has(nameIn(one.toLowerCase()))) ? gain : 0;
}

/** What is given without its version, and of a part of a package the package: `hoist@2`, `hoist==2.1`, `hoist/slow` */
function nameIn(given: string): string {
  const bare = given.replace(/(?<=.)(?:@|[=<>~]=).*$/u, '');
  return /^(?:@[^/]+\/)?[^/]+/u.exec(bare)?.[0] ?? bare;
}
