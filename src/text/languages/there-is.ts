/** Asks what there is, in English, German, French, Spanish, Italian and Portuguese: `What will there be at the fair?`, `Was gibt es auf dem Markt?` */
export const asksWhatThereIs: RegExp =
  /^\W*(?:what(?:['’]s there| (?:is|are|was|were) there| (?:will|can|could|might|would) there be)(?! (?:to be|between))|was (?:gibt|gab) es|was wird es(?=.*\bgeben)|qu['’]est-ce qu['’]il y (?:a|aura)|(?:qué|que) (?:hay|habrá|había)|(?:che )?cosa (?:c['’]è|ci sono|ci sarà)|o que há)(?!\p{L})/iu;

/** Says what there is. */
export const saysWhatThereIs: RegExp =
  /(?<!\p{L})(?:there(?:['’](?:s|ll be|re)| (?:is|are|was|were|has been|have been|(?:will|can|could|might|would) (?:also )?be))|(?:gibt|gab) es|es (?:gibt|gab)|es wird|wird es|il y (?:a|aura|avait)|hay|habrá|había|c['’]è|ci sono|ci sarà|ci saranno|há|haverá)(?!\p{L})/iu;

/** Asks whether there is something, in English, German, French, Spanish, Italian and Portuguese. */
export const asksWhetherThereIs: RegExp =
  /^\W*(?:is there|are there|was there|were there|will there be|gibt es|gab es|y a-t-il|est-ce qu['’]il y a|hay|había|c['’]è|ci sono|há)(?!\p{L})/iu;

/** Asks whether something has or supports what is named behind the match, in English. */
export const asksWhetherHas: RegExp =
  /^\W*(?:do|does|did|will|can|could) [^?]{1,60}? (?:support|have|offer|include|provide|contain|allow|accept) (?!to\b)(?=\S)/iu;
