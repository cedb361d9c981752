/** Whether a word is a part of `à partir de`, `a partir de`, `a partire da`, and no verb. */
export function isOfPreposition(before: string | undefined, word: string): boolean {
  return (word === 'partir' || word === 'partire') && (before === 'à' || before === 'a');
}

/** A line that breaks off before what it leads to, as a command on a line of its own: `It can be changed with`. */
export const breaksOff: RegExp =
  /(?<!\p{L})(?:with|using|by (?:running|typing)|via|mit|mittels|durch|avec|en (?:faisant|exécutant|utilisant|tapant|lançant)|con|mediante|usando|utilizando|ejecutando|eseguendo|tramite)\s*$/iu;
