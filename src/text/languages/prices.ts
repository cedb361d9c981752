/** Asks what a thing costs, which stands in one of the groups, in English, German, French, Spanish and Italian. */
export const asksPriceOf: RegExp =
  /(?<!\p{L})(?:how much (?:do|does|did|will|would|is|are) (?<a>.+?) costs?(?!\p{L})|what (?:do|does|did|will|would) (?<b>.+?) cost(?!\p{L})|(?:was|wie ?viel) kost(?:et|en|ete|eten) (?<c>.+)|combien coûte(?:nt)? (?<d>.+)|cuánto (?:cuestan?|vale[n]?) (?<e>.+)|quanto costa(?:no)? (?<f>.+))/iu;
