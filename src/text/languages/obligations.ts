/** Asks whether something must be done, in English, German, French, Spanish and Italian. */
export const asksObligation: RegExp =
  /^\W*(?:must (?!i know)|(?:should|shall) |(?:do|does) .{1,60}? (?:have|need) to |(?:is|are|am) .{1,60}? (?:required|obliged|obligated) to |(?:muss|müssen|soll|sollen) |(?:doit|doivent|dois-je|doit-on|faut-il|est-ce qu[e'’] ?.{1,40}? (?:doit|doivent)) |(?:debe|deben|debo|hay que|tengo que|tienen? que) |(?:deve|devono|devo|bisogna) )/iu;

/** Says that something must be done; the verb stands behind, in German at the end of the clause. */
export const obliges: RegExp =
  /^(?:must|shall|should|muss|müssen|soll|sollen|sollte[nr]?|doit|doivent|debe|deben|deve|devono)$/u;

/** Stands between that and the verb: `must not be electronically recorded`. */
export const beforeVerb: RegExp =
  /^(?:not|also|always|never|only|be|been|to|\p{L}+ly|pas|toujours|être|no|siempre|ser|estar|non|sempre|essere|\p{L}+ment|\p{L}+mente)$/u;
