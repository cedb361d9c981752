/** `What is the` before `density of steel`: the value, and what it is one of. */
export const asksValue: RegExp =
  /^(?:and |so )?(?:what|which)(?:['’]s| is| are| was| were) (?:(?:the|its|their|our|your) )?|^wie (?:hoch|groß|lang) (?:ist|sind|war|waren) (?:der|die|das) |^was (?:ist|war) (?:der|die|das) |^quel(?:le)?s? (?:est|sont|était|étaient) (?:l[ae]s? |l['’])|^cuál(?:es)? (?:es|son|era|fue) (?:el|l[ao]s?) |^qual(?: è|['’]è| é| era|i sono) (?:il |l[aeo] |l['’]|[oa] )/iu;

/** `What is Ann Moor's` before `salary` */
export const asksOwnValue: RegExp =
  /^what(?:['’]s| is| are| was| were) (?:[\p{L}\p{N}.'’-]+ ){0,3}?[\p{L}\p{N}.-]+['’]s? (?=\p{L})/iu;

/** `Welches` before `Gehalt hat Ann Moor`, `which` before `city is it in` */
export const asksWhichColumn: RegExp =
  /^(?:(?:in|at|on|an|bei|à|en|de|a|con|da|di|met|van|em|com|w|na|z|в|на|у|с) )?(?:which|what|welche[rsmn]?|quel(?:le)?s?|qué|cuál(?:es)?|qual[ei]?|quais|welke?|jak(?:i|a|ie|ą|ego|iej)|któr\p{L}+|как(?:ой|ая|ое|ие|ую|ого|ом)) (?=\p{L})/iu;

/** What no cell says of its value: it is reckoned, or is any value. */
export const unsaidValue: RegExp =
  /^(?:averages?|changes?|differences?|decreases?|growth|increases?|levels?|kinds?|names?|ratios?|results?|sorts?|sums?|types?|values?|änderung|differenz|unterschied|wert|name|différence|valeur|nom|diferencia|valor|nombre|differenza|valore|nome)$/iu;

/** `What is the toll for barges?`: what a value is asked for, behind its name. */
export const asksValueFor: RegExp =
  /^\W*(?:what(?:['’]s| is| are| was| were) (?:the|my|our|your) [\p{L} -]{3,40}? for |how (?:much|high|long) (?:is|are|was|were) the [\p{L} -]{3,40}? for |wie hoch (?:ist|sind|war|waren) (?:der|die|das) [\p{L} -]{3,40}? (?:für|bei) |quel(?:le)?s? (?:est|sont) l(?:es? |a |['’])[\p{L} -]{3,40}? (?:pour|en cas de) |cuál(?:es)? (?:es|son) (?:el|la|los|las) [\p{L} -]{3,40}? (?:para|por) |qual[ei]? ?(?:è|sono) (?:il|la|i|le) [\p{L} -]{3,40}? per )/iu;

/** Stands between `for` and a name. */
export const articleBefore: RegExp = /^(?:an?|the|eine[mnrs]?|de[nm]|der|die|das|une?|l[aeo]s?|el|un[ao]?|il|gli|i)$/u;

/** The name of a column that has people. */
export const personColumn: RegExp =
  /^(?:full )?(?:name|nom|nombre|nome|person|employee|mitarbeiter|kontakt|contact|имя)$/iu;

/** `Required scope: …` and `Which scope is needed?` */
export const needWord: RegExp =
  /^(?:need(?:s|ed)?|requir(?:e|es|ed)|necessary|must|erforderlich\p{L}*|nötig\p{L}*|benötigt\p{L}*|braucht?|brauche|requise?s?|nécessaires?|faut|necesari[oa]s?|necesit[ao]\p{L}*|requerid[oa]s?|necessari[oae]|richiest[oaie]|occorre)$/iu;
