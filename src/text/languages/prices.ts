/** Asks what a thing costs, which stands in one of the groups, by language. */
export const asksPriceOf: RegExp =
  /(?<!\p{L})(?:how much (?:do|does|did|will|would|is|are) (?<a>.+?) costs?(?!\p{L})|what (?:do|does|did|will|would) (?<b>.+?) cost(?!\p{L})|(?:was|wie ?viel) kost(?:et|en|ete|eten) (?<c>.+)|combien coûte(?:nt)? (?<d>.+)|cuánto (?:cuestan?|vale[n]?) (?<e>.+)|quanto costa(?:no)? (?<f>.+)|quanto custa(?:m|va|vam|ou)? (?<g>.+)|сколько сто(?:ит|ят|ил[аои]?) (?<h>.+)|скільки коштує (?<i>.+)|ile (?:kosztuj(?:e|ą)|kosztował[aoy]?) (?<k>.+)|(?:wat|hoeveel) kost(?:en|te)? (?<l>.+))/iu;
