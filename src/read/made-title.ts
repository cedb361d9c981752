const made = new RegExp(
  `^(?:${[
    '(?:powerpoint|word|excel)[ -](?:presentation|präsentation|presentatie|prezentáció|document|workbook)',
    'powerpoint (?:プレゼンテーション|演示文稿|簡報)',
    '(?:présentation|presentación|presentazione|apresentação|prezentacja|prezentace|презентация) (?:de |do |di |standard di |programu |aplikace )?powerpoint',
    '(?:slide|folie|dia|diapositiv[ea]|slajd|snímek|слайд|スライド|幻灯片|投影片|슬라이드) ?1',
    String.raw`(?:document|presentation)\d*`,
    String.raw`(?:dokument|documento|präsentation|présentation|presentación|book|mappe|classeur|libro) ?\d+`,
    'untitled|title|unbenannt|sans titre',
    String.raw`.*\.(?:docx?|dotx?|pptx?|xlsx?|od[tsp])`,
  ].join('|')})$`,
  'iu',
);

/** Whether a title is what a program of offices writes, in its language, for a document without one. */
export function isMadeTitle(title: string): boolean {
  return made.test(title);
}
