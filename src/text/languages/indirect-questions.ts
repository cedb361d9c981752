/** `Nobody knew who`, `It is unclear when`, `Niemand weiß, wer`: what is not known, by the word that asks for it. */
export const asksIndirectly: RegExp =
  /(?:(?<!\p{L})(?:nobody|no one|none of us)\s+(?:\p{L}+\s+)?(?:know|knew|knows|remember\p{L}*|say)|(?:(?<!\p{L})not|n['’]t)\s+(?:\p{L}+\s+){0,2}(?:know|known|clear|sure|decided|agreed)|unclear|unknown|undecided|niemand\s+(?:weiß|wusste)|(?:nicht|noch nicht)\s+(?:\p{L}+\s+){0,2}(?:klar|bekannt|sicher|entschieden)|unklar|unbekannt|personne\s+ne\s+(?:sait|savait)|on\s+ne\s+sait\s+pas|nadie\s+sab(?:e|ía))[,:]?\s+(?:yet\s+)?(who|when|where|why|how|what|which|wer|wann|wo|warum|wie|was|qui|quand|où|pourquoi|comment|quién|cuándo|dónde)(?!\p{L})/iu;

/** Asks for a question, or what somebody asked. */
export const asksForQuestion: RegExp =
  /(?<!\p{L})(?:questions?|ask(?:s|ed|ing)?|wonder(?:s|ed)?|fragen?|fragten?|gefragt|demand(?:e|é|er|ait|ée?s?)|pregunta(?:s|r|ba|do)?|preguntó|domand[aeoi]|domandare|chiesto|chiede(?:re)?|pergunt\p{L}*|вопрос\p{L}*|спр[ао]\p{L}+)(?!\p{L})|问|質問|聞/iu;
