/** Says what somebody would like, in English, German, French, Spanish and Italian. */
export const proposes: RegExp =
  /(?<!\p{L})(?:propos(?:e[sd]?|ing|al)|suggest(?:s|ed)?|motion to|moved to|asked to|requested|vorgeschlagen|schl(?:ägt|ug) .{0,80}vor|vorschlag|antrag|beantragt[e]?|proposée?|propose|proposition|propuesta|propuso|propone|sugirió|proposto|proposta)(?!\p{L})/iu;
/** Says what was decided. */
export const decides: RegExp =
  /(?<!\p{L})(?:agreed|decided|approved|adopted|resolved|accepted|carried|settled on|passed|decision:|resolved:|beschluss:|décision ?:|decisión:|decisione:|beschlossen|beschloss|angenommen|genehmigt|einigte[n]?|entschieden|décidée?|adoptée?|approuvée?|votée?|acordó|acordad[oa]|aprobó|aprobad[oa]|decidió|approvat[oa]|deciso|adottat[oa])(?!\p{L})/iu;
/** Says that what was proposed is not done. */
export const rejects: RegExp =
  /(?<!\p{L})(?:(?:was|were|is|voted|voice[ds]?) (?:\p{L}+ )?against|reject(?:s|ed)|turned down|voted down|refused|dropped|not (?:accepted|adopted|agreed|approved)|abgelehnt|lehnte[n]? .{0,80}ab|dagegen|rejetée?|refusée?|contre|rechazad[oa]|rechazó|en contra|respint[oa]|contrari[oa]?)(?!\p{L})/iu;
/** Says that all stays as it was. */
export const keeps: RegExp =
  /(?<!\p{L})(?:remains?|stays?|stayed|goes on|go on|continues?|(?:is|are) kept|keeps?|bleib(?:t|en)|weiterhin|restent?|reste|sigue|queda|resta|rimane)(?!\p{L})/iu;
/** Asks what was decided. */
export const asksDecision: RegExp =
  /^\W*what (?:was|were|has been|have been) (?:agreed|decided|resolved)\b|^\W*what did \S.{0,60}? (?:agree|decide|resolve)\b|^\W*(?:what|which) decisions? (?:was|were|has been|have been) \p{L}+|^\W*was (?:wurde|haben|hat) .{0,80}(?:beschlossen|entschieden)|^\W*qu['’]a(?:-t-(?:on|il|elle))? .{0,40}décidé|^\W*¿?qué se (?:decidió|acordó)|^\W*(?:che )?cosa (?:è stato|si è|hanno) .{0,40}deciso/iu;
