import { type MemberPart, memberQuestions } from '../../../text/languages/member-questions.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';

/** A function, a method, a class or a setting of which a question asks for one part. */
export interface MemberAsked {
  readonly part: MemberPart;
  /** The last part of its name, and what it belongs to, innermost last: `Crane` and `lift` of `hoist.Crane.lift()`. */
  readonly name: string;
  readonly owners: readonly string[];
  /** Whether it is written as programs are, so that it is no word of the language. */
  readonly isProgram: boolean;
  readonly parameter?: string;
  readonly error?: string;
}

const writtenAsCode = /[\p{L}\p{N}](?:[_.#]|::?)[\p{L}_]|->|^_|_$|\p{Ll}\p{Lu}|[!?*]$|^\p{Lu}+\p{N}*_/u;

/** What a question asks of a member of a program by its name: `What does Crane.lift() return?` */
export const memberAsked: (question: Question) => MemberAsked | undefined = once(({ text }) => memberIn(text.trim()));

export function memberIn(text: string): MemberAsked | undefined {
  for (const [part, pattern] of memberQuestions) {
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined) continue;
    const full = groups.name!.replace(/[.?]+$/, (mark) => (mark === '?' && /\? /.test(text) ? '?' : ''));
    const parts = full.split(/::|->(?=\p{L}.*\()|[.#]|:(?!:)/u).filter((one) => one !== '');
    const name = partsOfName(full, parts);
    if (name === undefined || name.length < 2) return undefined;
    return {
      part,
      name,
      owners: parts.length > 1 && parts.at(-1) === name ? parts.slice(0, -1) : [],
      isProgram: groups.call !== undefined || writtenAsCode.test(full),
      ...(groups.parameter === undefined ? {} : { parameter: groups.parameter }),
      ...(groups.error === undefined ? {} : { error: groups.error.split(/[.:]+/).at(-1)! }),
    };
  }
  return undefined;
}

/** `char-set->list` is one name, `crane->lift` a member. */
function partsOfName(full: string, parts: readonly string[]): string | undefined {
  return full.includes('-') ? full : parts.at(-1);
}
