/** Asks how long something is kept, in English, German, French, Spanish and Italian. */
export const asksHowLongKept: RegExp =
  /how long (?:must|should|shall|do|does|did|can|may|will|are|is|were|was|have|has)\b.*\b(?:keep|kept|retain(?:ed)?|stored?|preserved?|archived?)\b|wie lange\b.*(?:aufbewahr|aufzubewahren|aufgehoben|gespeichert|archiviert)|combien de temps\b.*(?:conserv|gard[eé]|archiv)|cuánto tiempo\b.*(?:conserv|guard|archiv)|quanto tempo\b.*(?:conserv|archivi)/iu;

/** Says that something is kept. */
export const saysKept: RegExp =
  /(?<!\p{L})(?:ke(?:ep|eps|pt)|retain(?:s|ed)?|retention|stored?|preserved?|archived?|aufbewahrt|aufbewahren|aufzubewahren|aufbewahrung\p{L}*|aufgehoben|gespeichert|archivier(?:t|en)|conserv\p{L}+|gard(?:er|ée?s?)|guarda\p{L}*|archiv(?:er|ée?s?|ar|ad[oa]s?|at[oaie]))(?!\p{L})/iu;
