/** `For example:` above a line, which then has one value of many. */
export const announcesExample: RegExp =
  /(?:\b(?:for (?:example|instance)|e\. ?g\.|examples?|zum beispiel|z\. ?b\.|beispiele?|(?:par|por) ex?[ej]mpl[eo]|exemples?|ejemplos?|(?:per|ad) esempio|esempi?o?|(?:por )?exemplos?)|(?<!\p{L})(?:например|例如|例えば|例))\W{0,3}[:：]\W*$/iu;

/** `Examples of correct code for this rule:` explains nothing. */
export const showsExamples: RegExp =
  /^\W*(?:examples?|beispiele?|exemples?|ejemplos?|esemp[io]|exemplos?|пример\p{L}*|例)(?!\p{L})[^\n]*[:：]\W*$/iu;
