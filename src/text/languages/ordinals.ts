/** Ordinals in words and figures, in English, German, French, Spanish and Italian; a part of a regular expression. */
export const ordinal =
  '(?:\\p{Nd}{1,3}(?:st|nd|rd|th|\\.|e|er|ère|re|º|ª|°)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|top|ground|erste[nrs]?|zweite[nrs]?|dritte[nrs]?|vierte[nrs]?|fünfte[nrs]?|sechste[nrs]?|siebte[nrs]?|achte[nrs]?|neunte[nrs]?|zehnte[nrs]?|premi(?:er|ère)|deuxième|troisième|quatrième|cinquième|sixième|primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|quint[oa]|sext[oa]|prim[oa]|second[oa]|terz[oa]|quart[oa])';

/** Asks which one of things that are counted, whose name stands in the group `thing`. */
export const asksWhichOne: RegExp =
  /(?<!\p{L})(?:which|what|welche[nmrs]?|quel(?:le)?|qué|quale|che)\s+(?<thing>floor|storey|row|room|page|chapter|level|year|class|grade|platform|gate|zone|line|section|step|stock(?:werk)?|etage|reihe|zimmer|raum|seite|kapitel|klasse|gleis|étage|rangée|salle|chapitre|classe|quai|piso|planta|fila|sala|página|capítulo|clase|andén|piano|stanza|pagina|capitolo|binario)(?!\p{L})/iu;
