/** Asks for people by what they do or where they belong, in English, German, French, Spanish and Italian. */
export const asksForPeople: RegExp =
  /^\W*(?:who (?:works?|is|are|sits?|lives?|belongs?)|(?:which|what) (?:people|persons|employees|members|colleagues|staff)|wer (?:arbeitet|ist|sind|sitzt|gehört)|welche (?:personen|leute|mitarbeiter(?:innen)?|mitglieder)|qui (?:travaille|est|sont)|quels (?:employés|membres)|¿?quién(?:es)? (?:trabajan?|es|son|está[n]?)|chi (?:lavora|è|sono))(?!\p{L})/iu;

/** What a column of people is called. */
export const columnOfPeople: RegExp =
  /^(?:(?:full |last )?names?|persons?|people|employees?|members?|staff|colleagues?|(?:nach)?namen?|person(?:en)?|mitarbeiter(?:in)?|mitglied(?:er)?|noms?|personnes?|nombres?|personas?|nom[ei]|persone)$/iu;

/** People of one kind, of whom `who` asks too, `employees` does not. */
export const columnOfOneKind: RegExp =
  /^(?:volunteers?|students?|pupils?|teachers?|players?|drivers?|participants?|applicants?|trainees?|tenants?|guests?|freiwillige[rn]?|schüler(?:in(?:nen)?)?|teilnehmer(?:in(?:nen)?)?|bénévoles?|élèves?|participante?s?|voluntari[oa]s?|alumn[oa]s?)$/iu;
