/** Says that somebody gives up an office, and that somebody takes it over, in English, German, French and Spanish. */
export const leavesOffice: RegExp =
  /(?<!\p{L})(?:gives? up|gave up|resign(?:s|ed)|steps? down|stepped down|retire[sd]?|leaves?|left|hands? over|handed over|gibt .{1,60} (?:auf|ab)|tritt .{0,60}zurück|scheidet|quitte|démissionne|deja|dimite|renuncia)(?!\p{L})/iu;
export const takesOffice: RegExp =
  /(?<!\p{L})(?:takes? over|took over|succeed(?:s|ed)?|follow(?:s|ed)?|replace[sd]?|successor|übernimmt|folgt|nachfolge\p{L}*|succède|remplace|sucede|sustituye)(?!\p{L})/iu;
