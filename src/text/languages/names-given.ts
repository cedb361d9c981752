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

/** Asks after whom or what something is called, which stands in the group `thing`, in English and German. */
export const asksNamesake: RegExp =
  /^\W*(?:(?:who|whom|what|which [\p{L} -]{1,40}?) (?:is|was|are|were) (?:the )?(?<thing>[^?]{1,60}?) (?:named|called) (?:after|for)|how did (?:the )?(?<how>[^?]{1,60}?) get (?:its|his|her|their) name|where does (?:the )?(?<where>[^?]{1,60}?) get (?:its|his|her|their) name(?: from)?|nach we(?:m|lche[mnrs]?[\p{L} -]{0,40}?) (?:ist|wurde|sind|wurden) (?:der |die |das )?(?<nach>[^?]{1,60}?) benannt)\W*$/iu;

/** Tells it, behind the name of the thing. */
export const tellsNamesake: RegExp =
  /(?<!\p{L})(?:(?:re)?named (?:after|for|in hono(?:u?)r of|to hono(?:u?)r)|called after|(?:takes?|took|gets?|got|derives?|derived) (?:its|his|her|their) name (?:from|of)|name (?:comes|came|derives|is taken|was taken) from|nach [^.;:]{1,60} benannt|benannt nach|verdankt [^.;:]{1,30} namen)(?!\p{L})/iu;
