/** Asks what is to be done in a case, in English, German, French, Spanish and Italian: `What should I do when …` */
export const asksWhatToDo: RegExp =
  /(?<!\p{L})(?:what (?:(?:should|must|do|can|shall) (?:i|we|you|one)|to) do (?:when|if|in case|after|about)|was (?:(?:soll|muss|kann) (?:ich|man|wir) (?:tun|machen)|ist zu tun|tun),? (?:wenn|falls|bei|nach)|que (?:dois-je|faut-il|faire) (?:faire )?(?:quand|lorsque|si|en cas)|qué (?:hago|hacer|debo hacer|hay que hacer) (?:cuando|si|en caso)|che (?:cosa )?(?:fare|devo fare) (?:quando|se|in caso))(?!\p{L})/iu;
