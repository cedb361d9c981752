/** Asks what will be, in English. */
export const asksFuture: RegExp = /^\W*(?:who|when|where|what|which|how|why)\b.*\bwill\b/iu;

/** Says what is to come, or what is planned, in English. */
export const saysFuture: RegExp =
  /(?<!\p{L})(?:will|shall|won['’]t|going to|to be|due to|is to|are to|plan(?:s|ned)? to|expects?|expected|from|until|next|tomorrow|['’]ll)(?!\p{L})/iu;
