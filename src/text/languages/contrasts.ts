/** A sentence that begins so says the contrary of the one before. */
export const contrasts: RegExp =
  /^(?:however|but|by contrast|in contrast|jedoch|aber|dagegen|sin embargo|pero|cependant|mais|toutefois|tuttavia|ma|porém|mas|однако|но)(?!\p{L})/iu;
