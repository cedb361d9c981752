/** Says for whom or when a rule does not hold, in English, German, French, Spanish and Italian. */
export const saysException: RegExp =
  /(?<!\p{L})(?:exceptions?|except(?:ed|ing)?|exempt(?:ed|ions?)?|unless|waived|(?:does|do) not apply|provided that|ausnahmen?|ausgenommen|außer|es sei denn|gilt nicht|gelten nicht|entfällt|sofern|sauf|excepté\p{L}*|à moins|dispensée?s?|ne s['’]applique(?:nt)? pas|salvo|excepto|excepción|excepciones|a menos|exent[oa]s?|no se aplica|tranne|eccett\p{L}+|eccezion[ei]|a meno|esentat[oaie]|non si applica)(?!\p{L})/iu;

/** Says that something may not be done. */
export const forbids: RegExp =
  /(?<!\p{L})(?:not|no|never|cannot|can['’]t|mustn['’]t|don['’]t|forbidden|prohibited|banned|only|nicht|kein\p{L}*|nie|verboten|untersagt|nur|pas|jamais|interdite?s?|ne|prohibid[ao]s?|nunca|non|vietat[oaei]|mai|solo|sólo|seulement|soltanto)(?!\p{L})/iu;

/** Says that something may be done. */
export const allows: RegExp =
  /(?<!\p{L})(?:may|can|allowed|permitted|d[aü]rf(?:en|st|t)?|kann|können|erlaubt|gestattet|zulässig|peut|peuvent|autorisée?s?|permise?s?|puede[ns]?|permitid[ao]s?|può|possono|permess[oaei]|ammess[oaei]|consentit[oaei])(?!\p{L})/iu;

/** Asks what a rule says: for yes or no, or what follows from something. */
export const asksRule: RegExp =
  /^\W*(?:what (?:happens|if|are the consequences)|was (?:passiert|geschieht)|que se passe|qu['’]arrive|qué (?:pasa|ocurre|sucede)|(?:che )?cosa succede|muss|müssen|darf|dürfen|kann|können|ist es|puis-je|peut-on|faut-il|dois-je|doit-on|¿?(?:puedo|se puede|hay que|tengo que|debo|es)|posso|si può|devo|bisogna|è)(?!\p{L})/iu;
