/**
 * Asks who has an office, which stands in the group `office`, in English, German, French, Spanish and Italian; in the
 * group `kind` what stands before it: `board` of `the board president`.
 */
export const asksOffice: RegExp =
  /^\W*(?:who(?:['’]s| is| was| are| became| becomes| will be)|wer (?:ist|war|wird|wurde)|qui (?:est|était|devient|sera)|quién (?:es|era|será)|chi (?:è|era|sarà))\s+(?:(?:the|our|your|its|an?|der|die|das|unser\p{L}*|eur\p{L}*|le|la|notre|votre|el|nuestr[oa]|il|lo)\s+|l['’])?(?:(?:new|current|present|next|neue[rn]?|aktuelle[rn]?|derzeitige[rn]?|nouve(?:au|lle)|nuev[oa]|nuov[oa])\s+)?(?:(?<kind>(?!first\b|second\b|third\b|last\b|only\b|\p{L}+est\b)\p{L}{3,})\s+)?(?<office>\p{L}{3,})(?=\s+(?:of|for|in|at|on|since|der|des|von|vom|für|im|seit|du|de|del|dell\p{L}*|della|di)\b|\s+d['’]|\s+(?:actuel(?:le)?|actual|attuale|now)\b|\W*$)/iu;

/** Stands between a name and the office that somebody takes or has: `Joan Abara replaces Tom Leigh as` */
export const entersOffice: RegExp =
  /(?<!\p{L})(?:(?:re-?)?elected|(?:re-?)?appointed|named|chosen|becomes?|became|replace[sd]?|succeed(?:s|ed)|takes? over|took over|acts?|acted|serves?|served|works?|is|was|will be|remains?|gewählt|wiedergewählt|ernannt|bestellt|wird|wurde|bleibt|ist|war|übernimmt|übernahm|folgt|löst|élue?|réélue?|nommée?|devient|est|était|reste|remplace|succède|elegid[oa]|reelegid[oa]|nombrad[oa]|es|era|será|sustituye|sucede|elett[oa]|nominat[oa]|è|diventa|sostituisce)(?!\p{L})(?: [^.;:()]{0,60})?$/iu;
/** Stands between an office and the name of who has it. */
export const isHeldBy: RegExp =
  /^(?: (?:of|for|der|des|von|du|de|del|di) [^.;:,()]{1,40}?)?(?:,| (?:is|was|will be|remains|ist|war|wird|bleibt|est|sera|reste|es|será|è|sarà))(?: (?:now|then|nun|jetzt|désormais|ahora|ora))? $/iu;
/** Which of those who may be called so by their office. */
export const rank: RegExp =
  /^(?:deputy|vice|assistant|acting|interim|honorary|stellvertretende[rnms]?|stellvertreter(?:in)?|kommissarische[rnms]?|adjointe?|intérimaire|honoraire|suplente|adjunt[oa]|interin[oa]|honorari[oa]|supplente|aggiunt[oa]|onorari[oa])$/iu;
/** Stands before the office of somebody who has it not: `former`, `deputy`. */
export const otherOffice: RegExp =
  /(?<!\p{L})(?:former|previous|outgoing|deputy|vice|assistant|ehemalige[rn]?|frühere[rn]?|bisherige[rn]?|stellvertretende[rn]?|anci(?:en|enne)|adjointe?|antigu[oa]|anterior|ex)[\s-]*$/iu;

/** Stands before an office that somebody else has to do with: `reports to the`, `wird vom`. */
export const besideOffice: RegExp =
  /(?<!\p{L})(?:(?:to|by|with|from|for|of|than|against|before|without|through) (?:the|an?|our|their|his|her|its)|(?:an|durch|für|gegen|ohne) (?:den|die)|(?:mit|bei|von|zu|nach|vor) (?:dem|der)|vom|beim|zum|zur|(?:par|avec|pour|chez|sans) (?:le|la)|au|du|à la|de la|(?:con|por|para|sin) (?:el|la)|al|del|(?:con|per|senza) (?:il|la)|dal|dalla|alla|della) $/iu;
/** Stands before an office that does something, and behind it: `The director` and ` signs the bill.` */
export const articleOfOffice: RegExp = /(?:^|[\s(])(?:the|our|their|his|her|its) $/iu;
export const doesOfOffice: RegExp =
  /^ (?!(?:is|are|was|were|has been|will be|became|becomes|remains|of|for|and|or|who|whose|named|called|at|in)(?!\p{L}))\p{Ll}+/u;
/** Stands between an office and a name beside it: `the director, Ann Pell`, `the director (Ann Pell)`. */
export const besideName: RegExp =
  /^(?: (?:of|for|der|des|von|du|de|del|di) [^.;:,()]{1,40}?)?(?:,? |, (?:Ms|Mr|Mrs|Dr)\.? | ?\((?:\p{Ll}+ )?|: )$/iu;

/** Offices, and the verbs for what somebody does who has one, in English. */
const tenures: readonly { readonly asks: RegExp; readonly says: RegExp }[] = [
  ['leader|head|chief', 'leads?|led|heads?|headed'],
  ['president|chair(?:man|woman|person)?', 'presides?|presided|chairs?|chaired'],
  ['manager', 'manages?|managed'],
  ['director', 'directs?|directed'],
  ['captain', 'captains?|captained'],
  ['editor', 'edits?|edited'],
  ['coach', 'coaches|coached'],
  ['king|queen|emperor|empress|ruler|governor', 'rules?|ruled|reigns?|reigned|governs?|governed'],
].map(([office, verb]) => {
  const either = `(?<!\\p{L})(?:${office}|${verb})(?!\\p{L})`;
  return { asks: new RegExp(`^\\W*who [^?]{0,60}?${either}`, 'iu'), says: new RegExp(either, 'iu') };
});

/** How a text says that somebody had the office that a question names, or did its work; undefined for another question. */
export function tenureAsked(question: string): RegExp | undefined {
  return tenures.find(({ asks }) => asks.test(question))?.says;
}
