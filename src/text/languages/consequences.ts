/**
 * Asks what follows from a case; behind it stands the case. In English, German, French, Spanish, Italian and Portuguese.
 */
export const asksConsequence: RegExp =
  /^\W*(?:and |but )?(?:what (?:happens|will happen|would happen|happened)|what (?:is|are) the (?:consequences?|effects?)|was (?:passiert|geschieht)|que se passe-t-il|qu['’]arrive-t-il|qué (?:pasa|ocurre|sucede)|(?:che )?cosa (?:succede|accade)|o que acontece)\s*,?\s*(?:if|when|once|unless|wenn|falls|si|quand|lorsque|cuando|se|quando)(?!\p{L})/iu;

/** Begins a case: `If the tank is empty, the pump stops.` */
export const beginsCase: RegExp =
  /(?:^|(?<=[\s,;:(—–"“„«]))(?:if|when(?:ever)?|once|unless|wenn|falls|sobald|si|quand|lorsque|cuando|se|qualora|quando|caso)(?!\p{L})/giu;

/** Says that something follows from what stands before, in the same languages. */
export const followsFromBefore: RegExp =
  /^\W*(?:as a (?:result|consequence)|therefore|consequently|hence|thus|for (?:this|that|these|those|which) reasons?|(?:this|that) is why|because of (?:this|that)|accordingly|deshalb|daher|darum|infolgedessen|aus diese[mn] gr[uü]nd(?:en)?|par conséquent|c['’]est pourquoi|pour (?:cette|ces) raisons?|por (?:lo tanto|eso|esta razón|ello)|per questo(?: motivo)?|pertanto|perciò|por isso|portanto)(?!\p{L})/iu;
