const must = '(?:has to|have to|must|may|can|should|shall|needs? to|will)';

/** `Who has to` before `approve it?` */
export const whoActs: RegExp = new RegExp(String.raw`^\W*who (?:else )?${must}\s`, 'iu');

/** `Your team lead has to approve it`: somebody who is known by what they do, not by a name. */
export const roleActs: RegExp = new RegExp(
  String.raw`^\W*(?:your|the|an?|our|each|only (?:the|an?)) (?:\p{L}[\p{L}-]* ){1,4}?${must}\s`,
  'iu',
);
