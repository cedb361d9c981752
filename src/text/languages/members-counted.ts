import { smallNumber } from './members-asked.ts';

const asking =
  /^\W*(?:(?:what|which|name|list)(?: (?:are|were))?(?: (?:the|its|their|his|her|our|your|all))?|welche[rns]?(?: (?:sind|waren))?(?: (?:die|der|den|seine|ihre|alle))?|(?:in )?quel(?:le)?s(?: (?:sont|étaient))?(?: (?:les|ses|leurs))?|(?:cuáles|qué)(?: (?:son|eran))?(?: (?:l[oa]s|sus))?|quali(?: (?:sono|erano))?(?: (?:i|gli|le|suoi|sue))?) (?<count>[\p{L}\p{Nd}]+) (?=\p{L})/iu;

/** `Which two domains …`: how many members of a kind a question asks for, and where the name of the kind begins. */
export function countedMembersAsked(question: string): { readonly count: number; readonly from: number } | undefined {
  const found = asking.exec(question);
  const count = found?.groups && smallNumber(found.groups.count!);
  return found === null || count === undefined ? undefined : { count, from: found[0].length };
}

/** Begins the first of members that are told one by one. */
export const beginsFirst: RegExp =
  /^(?:[-–—•(]\s*)?(?:first(?:ly)?|the first|one|1st|1[.)]|\(?i\)|erstens|zum einen|der erste|die erste|das erste|premièrement|d['’]abord|l[ea] premi(?:er|ère)|primero|en primer lugar|e[ln] primer[oa]?|primo|in primo luogo|il primo|la prima)(?![\p{L}\p{N}])/iu;

/** Begins another one of them. */
export const beginsNext: RegExp =
  /^(?:[-–—•(]\s*)?(?:(?:the )?(?:second|third|fourth|fifth)(?:ly)?|(?:and )?(?:finally|lastly)|the other|another|[2-9][.)]|\(?(?:ii|iii|iv|v)\)|zweitens|drittens|viertens|zum anderen|schließlich|d(?:er|ie|as) (?:zweite|dritte|andere)|deuxièmement|troisièmement|ensuite|enfin|l[ea] (?:second[e]?|deuxième|troisième)|segundo|tercero|en segundo lugar|por último|el (?:segundo|tercero|otro)|secondo|terzo|in secondo luogo|infine|il (?:secondo|terzo))(?![\p{L}\p{N}])/iu;

/** `: Dialog and E-commerce domain.` */
export const membersListed: RegExp =
  /^(?:\s\p{L}+){0,3}?\s*(?:\([^)]*\)\s*)?[:：,–—]\s+(?:(?:namely|i\.e\.|viz\.|nämlich|à savoir|a saber|cioè)[,:]?\s+)?(?<list>\S.*)$/su;
/** Between two members. */
export const betweenMembers: RegExp =
  /,\s*(?:and|or|und|oder|et|ou|y|o|e)\s|[,;]\s|\s(?:and|or|und|oder|et|ou|y|o|e)\s/u;
