/** Asks how a thing is called, which stands in the group `thing`, in English, German, French, Spanish and Italian. */
export const asksCalled: RegExp =
  /^\W*(?:what(?:['’]s| is| are| was| were) (?:the |your |its |their )?(?:(?<thing>.+?) (?:called|named)|name of (?:the |your |its )?(?<named>.+?))|wie hei(?:ß|ss)(?:t|en) (?:der |die |das )?(?<heisst>.+?)|comment s['’]appellent? (?:le |la |les |l['’])?(?<appelle>.+?)|cómo se llaman? (?:el |la |los |las )?(?<llama>.+?)|come si chiama(?:no)? (?:il |lo |la |i |gli |le |l['’])?(?<chiama>.+?))\W*$/iu;

/** Stands between a thing and its name: `the drops (Latanor)`, `a ship called Tern`. */
export const calledBy =
  '(?:\\s*\\((?:called |the |genannt )?|,? (?:called|named|genannt|namens|mit (?:dem )?namen|appelée?s?|nommée?s?|llamad[oa]s?|chiamat[oaie]) |,? (?:is|are|was|were) (?:called|named) |:? )["“„«‘]?(?=\\p{Lu})';

/** Asks who comes behind somebody in an office. */
export const asksSuccessor: RegExp =
  /^\W*(?:who (?:takes over|took over|will take over|succeed(?:s|ed)|will succeed|replace[sd]|will replace|follows|followed) (?:from |as |for )?|who is (?:the )?successor (?:of|to) |wer (?:folgt|folgte) auf |wer (?:ersetzt|ersetzte|beerbt) |wer ist (?:der |die )?nachfolger(?:in)? (?:von )?|qui (?:remplace|succède à|a remplacé) |quién (?:sustituye a|sucede a|reemplaza a) )(?<who>\p{Lu}.+?)\W*$/iu;

/** Asks for a value that something has, `the master ID of` it; in English and German, where a definition is asked so, too. */
export const asksValueOf: RegExp =
  /^\W*(?:what(?:['’]s| is| are| was| were) the|was (?:ist|sind|war|waren) (?:der|die|das)) (?<value>.+?) (?:of|for|at|von|vom|für|bei|des|der) /iu;

/** Asks for what somebody with a name has: `What is Ann Moor's extension?` */
export const asksOf: RegExp =
  /^\W*(?:[Ww](?:hat|hich|hen|here)|[Hh]ow (?:much|many|long|old|high|big|large)) (?:is|are|was|were) (?<who>\p{Lu}[\p{L}.’'-]*(?: \p{Lu}[\p{L}.’'-]*)*)['’]s? (?<what>\p{Ll}[\p{L} -]+?)\W*$/u;
