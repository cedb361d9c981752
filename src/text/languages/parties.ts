/** Words before the first party of a contract, and before the next. */
export const beforeParties: RegExp = /(?:^|[\s(])(?:between|zwischen|entre|tra|fra|tussen|mellan|mellem)\s+/giu;
export const beforeNextParty: RegExp = /^[\s,;]*(?:and|und|et|y|ed?|en|och|og)\s+/iu;

/** Words before the role of a party: `Acme Ltd., as Lender`. */
export const inThePart = ', (?:as|als|comme|como|come|in qualità di|som) (?:the |den |die |le |la |el |il )?';
