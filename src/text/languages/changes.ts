/** Says that something is otherwise than it was to be, in English, German, French, Spanish and Italian. */
export const saysChange: RegExp =
  /(?<!\p{L})(?:moved|postponed|rescheduled|brought forward|put off|changed|corrected|delayed|late|later than|instead|no longer|verlegt|verschoben|vorgezogen|geändert|berichtigt|verspätet|anstelle|statt (?:am|bisher|der|des|im|um|wie|\d)|nicht mehr|reportée?s?|déplacée?s?|avancée?s?|modifiée?s?|en retard|au lieu d|aplazad[ao]s?|pospuest[ao]s?|cambiad[ao]s?|adelantad[ao]s?|en (?:lugar|vez) de|rinviat[aeio]|spostat[aeio]|anticipat[aeio]|modificat[aeio]|invece d)/iu;

/** Asks what has changed, or was added. */
export const asksForChange: RegExp =
  /(?<![\p{L}\p{N}_])(?:chang(?:e[sd]?|ing)|new|fix(?:ed|es)?|add(?:ed|s)?|remov(?:ed|es)|deprecated|releas(?:ed?|es)|geändert|neu|behoben|changé|nouveau|cambi[óa]|nuevo)(?![\p{L}\p{N}_])/iu;

/** What was changed, between the word that asks for it and the verb: `safety error` in `Which safety error was fixed?` */
export const asksWhichChange: RegExp =
  /(?<=(?<!\p{L})(?:which|what|welche[nrs]?|quel(?:le)?s?)\s)(?!(?:is|are|was|were|did|does|do|has|have)\s)[^?,]{3,60}?(?=\s(?:was|were|is|are|did|does|do|has been|have been|wurden?|ist|sind|a été|ont été)(?!\p{L}))/iu;

/** Asks for a version, or when something was done. */
export const asksVersion: RegExp =
  /\b(?:which|what)\s+(?:\S+\s+){0,2}?(?:versions?|releases?)\b|\bwhen\s+(?:was|were|did|will)\b|\bseit wann\b|\b(?:seit|ab|in|mit) welcher version\b/iu;

/** Changes of a part of a program, by the words that ask for them or tell them. */
export const versionChanges: Readonly<Record<'added' | 'deprecated' | 'removed' | 'changed', RegExp>> = {
  added:
    /\b(?:add(?:s|ed|ing)?|introduc(?:es?|ed|ing)|new|appear(?:s|ed)?|c[oa]me in|available|implement(?:s|ed)?|provid(?:es|ed)|first|hinzugefügt|eingeführt|neu|verfügbar)\b|(?<!\p{L})(?:since|seit):\s/iu,
  deprecated: /\b(?:deprecat(?:es?|ed|ing)|obsolete|veraltet)\b/iu,
  removed: /\b(?:remov(?:es?|ed|ing|al)|drop(?:s|ped|ping)?|delet(?:es|ed)|discontinued|no longer|entfernt)\b/iu,
  changed: /\b(?:chang(?:es?|ed|ing)|fix(?:es|ed)?|renam(?:es?|ed)|geändert|behoben)\b/iu,
};

/** Kinds of changes, which a question and the item or its heading name alike. */
export const kindsOfChanges: readonly RegExp[] = [
  /(?<!\p{L})(?:fix(?:e[sd])?|repaired|behoben|corrigée?s?|corregid[oa]s?)(?!\p{L})/iu,
  /(?<!\p{L})(?:add(?:s|ed)|introduced|hinzugefügt|ajoutée?s?|añadid[oa]s?)(?!\p{L})/iu,
  /(?<!\p{L})(?:remov(?:es|ed)|dropp?(?:s|ed)|entfernt|supprimée?s?|eliminad[oa]s?)(?!\p{L})/iu,
  /(?<!\p{L})(?:deprecate[sd]?|veraltet|obsol[eè]tes?|obsolet[oa]s?)(?!\p{L})/iu,
];

/** Asks when a release was. */
export const asksReleaseDay: RegExp = /\bwhen\b|\bdates?\b|\bwann\b|\bquand\b|\bcuándo\b/iu;

/** The title of a document that changes another one: `Amendment no. 2 to the lease`. */
export const amends: RegExp =
  /(?<!\p{L})(?:amendments?|addend(?:um|a)|supplement(?:al|ary) agreement|deed of variation|nachtrag|änderungs(?:vertrag|vereinbarung)|zusatzvereinbarung|avenant|adenda|modificación (?:del?|al)|atto (?:integrativo|modificativo)|aditamento|addenda|aneks|дополнительное соглашение)(?!\p{L})(?:\P{N}{0,12}(?<number>\p{Nd}{1,2})(?!\p{N}))?/iu;
