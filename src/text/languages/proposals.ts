/** Says what somebody would like, in English, German, French, Spanish and Italian. */
export const proposes: RegExp =
  /(?<!\p{L})(?:propos(?:e[sd]?|ing|al)|suggest(?:s|ed)?|motion to|moved to|asked to|requested|vorgeschlagen|schl(?:ägt|ug) .{0,80}vor|vorschlag|antrag|beantragt[e]?|proposée?|propose|proposition|propuesta|propuso|propone|sugirió|proposto|proposta)(?!\p{L})/iu;
/** Says what was decided. */
export const decides: RegExp =
  /(?<!\p{L})(?:agreed|decided|approved|adopted|resolved|accepted|carried|settled on|passed|beschlossen|beschloss|angenommen|genehmigt|einigte[n]?|entschieden|décidée?|adoptée?|approuvée?|votée?|acordó|acordad[oa]|aprobó|aprobad[oa]|decidió|approvat[oa]|deciso|adottat[oa])(?!\p{L})/iu;
