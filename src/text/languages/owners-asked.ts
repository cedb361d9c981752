/** `内釜の` of `内釜の質量は`, `公寓的` of `公寓的面积`: of what something is asked, in Japanese and Chinese. */
const owned =
  /(?<owner>[^のはがをにで的、，。\s]{2,12})(?:の(?=[^のはがを、。]{1,10}は(?:[いどなだ誰何]|$))|的(?=[^的，。是有]{1,8}(?:是|有多|多少)))/u;
/** The thing itself, of which a document tells whatever it is called there. */
const whole = /^(?:こ|そ|本|当|この|製品|商品|全体|機械|装置|该|这|本)/u;

/** Where a question names the thing whose value it asks for; undefined for the whole thing. */
export function ownerAsked(question: string): { readonly start: number; readonly end: number } | undefined {
  const found = owned.exec(question);
  const owner = found?.groups?.owner;
  return found === null || owner === undefined || whole.test(owner)
    ? undefined
    : { start: found.index, end: found.index + owner.length };
}
