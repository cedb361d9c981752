/** The source of a pattern: a key that is held while another is pressed. */
export const modifierKey: string =
  '(?:ctrl|control|strg|shift|umschalt|maj|mayús|alt ?gr|alt|option|opt|cmd|command|meta|super|win)(?![\\p{L}\\p{N}])';

/** Keys by other names, and in other languages. */
export const sameKey: Readonly<Record<string, string>> = {
  control: 'ctrl',
  strg: 'ctrl',
  umschalt: 'shift',
  maj: 'shift',
  mayús: 'shift',
  option: 'alt',
  opt: 'alt',
  command: 'cmd',
};

const keyNoun =
  '(?:short-?cuts?(?: keys?)?|hot[ -]?keys?|key ?(?:combination|stroke|binding)s?|tasten(?:kombination|kürzel)(?:en)?|tastaturkürzel|raccourcis?|atajos?|scorciatoi[ae]|atalhos?)';

/** Asks which keys to press. */
export const asksForKey: RegExp = new RegExp(
  `^(?:what|which|welche[rs]?|wie|was|quel(?:le)?s?|cuál(?:es)?|qual[ei]?)(?:['’]s)?(?:\\s(?:is|are|ist|sind|lautet|est|sont|es|son|è|é|são))?(?:\\s(?:the|der|die|das|l[ae]|les|el|los|il|o|os|as))?(?:\\s(?:default|keyboard|standard))*\\s${keyNoun}(?![\\p{L}-])(?!\\s(?:menu|bar|icon|file|dialog|editor|list|window|link)s?(?!\\p{L}))`,
  'iu',
);

/** Words that ask for keys and do not say what these do. */
export const keyWord: RegExp = new RegExp(
  `^(?:${keyNoun}|keyboard|default|standard|hot|keys?|combinations?|strokes?|bindings?|clavier|teclado|tastiera)$`,
  'iu',
);

/** The name of a column that has keys. */
export const keyColumn: RegExp = new RegExp(
  `(?:^|\\s)${keyNoun}$|^(?:default )?keys?$|^taste(?:n)?$|^touches?$|^teclas?$|^tast[oi]$`,
  'iu',
);
