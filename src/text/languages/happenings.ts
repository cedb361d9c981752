/** Asks what was done or happened at a time, or beside something else, which stands behind; English, German, French, Spanish. */
export const asksHappening: RegExp =
  /^\P{L}*(?:what (?:happened|occurred|took place|went on|followed)|what (?:did|was|were) (?:[\p{L}’'-]+ ){1,4}?(?:do|doing|happen)|where (?:was|were)(?: [\p{L}’'-]+){1,4}?|was (?:geschah|passierte|ist geschehen|ist passiert)|que s['’]est-il passé|qu['’]est-il arrivé|¿?qué (?:pasó|ocurrió|sucedió))(?= )/iu;

/** `after the storm`, `before they came`: the side of what happened, and what is behind it. */
export const besideEvent: RegExp =
  /(?<!\p{L})(?:(?<after>after|following|nach|nachdem|après|después de|tras)|(?<before>before|prior to|vor|bevor|avant|antes de)) (?<event>[^?]{3,80})/iu;
