/** Asks for one of a kind, in English, German, French, Spanish, Italian and Portuguese. */
export const asksWhich: RegExp =
  /^\W*(?:(?:in|at|on|by|from|of|to|for|with)\s+)?(?:what|which|welche[mnrs]?|quel(?:le)?s?|qu[eé]|cuál(?:es)?|quale|quali|qual|quais)(?!\p{L})/iu;

/** Asks who or what does something, in English, German, French, Spanish, Italian and Portuguese. */
export const asksForSubject: RegExp =
  /^\W*(?:who|what|wer|qui|quién(?:es)?|qué|chi|quem|o que)\s+(?!(?:is|are|was|were|do|does|did|has|have|had|can|will|would|should|ist|sind|war|waren|hat|est|es|è|é)(?!\p{L}))/iu;
