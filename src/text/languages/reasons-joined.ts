export const asksWhy: RegExp = /\bwhy\b/iu;

/** Words that join a reason to an event, also loosely; most sentences that give a reason have one of them. */
export const joinsReason: RegExp =
  /\b(?:so|as|to|for|by|after|from|through|with|without|if|when|while|unless|until|out of|mean\p{L}*|makes?|made|making|lets?|helps?|allow\p{L}*|prevent\p{L}*|would|could|(?<!\p{N}\.? )may(?! \p{N})|might|can|cannot|need\p{L}*|must|want\p{L}*|only|too|thanks|lack|account|view|why|how|not|no|\p{L}+ing)\b|n['’]t\b|[:;—–(]/iu;
