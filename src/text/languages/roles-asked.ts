/** What somebody is, or does, by whom it is asked for, in scripts without capitals: `実行委員長は誰`, `谁修建`, `من أسس`. */
const asked: readonly RegExp[] = [
  /[^はがをにのでと、。\s]{2,12}(?=(?:は|が|って|とは)?(?:誰|だれ|どなた)(?!が))/gu,
  /(?<=(?:誰|だれ|どなた)が)[^はがをにので、。？?]{2,12}/gu,
  /[^的、，。\s是由叫]{2,10}(?=[是由叫]?[谁誰](?:[？?呢啊]|$))/gu,
  /(?<=[谁誰])[\p{sc=Han}]{2}/gu,
  /(?<=^\W*من (?:(?:هو|هي|هم|كان|كانت|الذي|التي) ){0,2})\p{L}+/gu,
];

/** Where a question has it; empty where it is not known. */
export function rolesAsked(question: string): { readonly start: number; readonly end: number }[] {
  for (const pattern of asked) {
    const found = Array.from(question.matchAll(pattern), ({ 0: role, index }) => ({
      start: index,
      end: index + role.length,
    }));
    if (found.length > 0) return found;
  }
  return [];
}
