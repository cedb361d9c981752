/** Asks what will be, in English. */
export const asksFuture: RegExp = /^\W*(?:who|when|where|what|which|how|why)\b.*\bwill\b/iu;

/** Says what is to come, or what is planned, in English. */
export const saysFuture: RegExp =
  /(?<!\p{L})(?:will|shall|won['’]t|going to|to be|due to|is to|are to|plan(?:s|ned)? to|expects?|expected|from|until|next|tomorrow|['’]ll)(?!\p{L})/iu;

/** Before what somebody did: `Who` before `repaired`. */
export const asksWhoDid: RegExp = /^\W*who (?:last |first |once )?/iu;

/** Before what somebody may or must do. */
export const modal: RegExp = /^(?:may|must|shall|should|can|will)$/u;
