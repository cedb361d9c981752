/** Marks of a bound, an estimate or an old state: another number beside it is no contradiction. */
export const hedged: RegExp =
  /\b(?:about|around|approximately|roughly|some|nearly|almost|over|under|more than|less than|fewer than|at least|at most|up to|between|minimum|maximum|estimated|formerly|previously|originally|initially|used to|until|no longer|was changed|before|after|since|average|etwa|rund|ungefähr|mindestens|höchstens|bis zu|früher|bisher|zuvor|durchschnittlich|environ|au moins|jusqu['’]à|unos|aproximadamente|al menos|hasta|circa|almeno)(?!\p{L})|[<>≤≥~±]/iu;
