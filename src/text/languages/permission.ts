/** Who may or must do something, in English. */
const who = '(?:i|we|you|one|guests?|visitors?|tenants?|members?|employees?|people|children|kids)';
/** Asks in English whether somebody must do something that the next word says. */
const asksDuty = `do(?:es)? (?:${who}|(?:the|a) tenants?) (?:have|need) to|(?:am i|are we) (?:required|obliged) to|is it (?:mandatory|compulsory|obligatory|required|necessary) to`;

/** Asks whether something may be done, in English, German, French, Spanish and Italian. */
export const asksPermission: RegExp = new RegExp(
  String.raw`^\W*(?:(?:can|could|may) (?:${who}|my|our)\b|(?:am i|are we|is it|are you) (?:\w+ )?(?:allowed|permitted|forbidden|ok|okay|possible)\b|(?:is|are) .+ (?:allowed|permitted|forbidden|prohibited|banned|welcome)\W*$|(?:is|are) .+ (?:allowed|permitted|forbidden|prohibited|banned) (?:in|on|at|to|inside|for)\b|(?:darf|dürfen|kann|können) (?:ich|man|wir|mein\p{L}*|unser\p{L}*|gäste|mieter|kinder)\b|(?:ist|sind) .+ (?:erlaubt|verboten|gestattet|untersagt|zulässig)\b|(?:puis-je|peut-on|pouvons-nous|est-ce que (?:je peux|on peut|nous pouvons)|ai-je le droit|a-t-on le droit|est-il (?:permis|interdit))|¿?(?:puedo|podemos|se puede|está permitid|están permitid|está prohibid|tengo permiso)|(?:posso|possiamo|si può|si possono|è (?:permess|vietat|consentit)))`,
  'iu',
);

/** Asks whether something must be done. */
export const asksObligation: RegExp = new RegExp(
  String.raw`^\W*(?:(?:must ${who}|${asksDuty})\b|(?:muss|müssen) (?:ich|man|wir|gäste|mieter|kinder)\b|dois-je|doit-on|devons-nous|faut-il|est-ce qu(?:e je dois|['’]on doit|['’]il faut)|est-il (?:obligatoire|nécessaire)|¿?(?:debo|debemos|tengo que|tenemos que|hay que|es (?:obligatorio|necesario))|(?:devo|dobbiamo|bisogna|si deve|è (?:obbligatorio|necessario)))(?!\p{L})`,
  'iu',
);

/** Asks whether somebody may or must do something, which the next word says: in English alone the verb stands there. */
export const asksToAct: RegExp = new RegExp(String.raw`^\W*(?:(?:can|could|may|must) ${who}|${asksDuty})\b`, 'iu');

/** Says what may be done or not. */
export const saysPermission: RegExp =
  /(?<!\p{L})(?:allowed|permitted|forbidden|prohibited|banned|admitted|welcome|(?:un)?suitable for|not (?:intended|meant) for|(?:un)?geeignet|convien(?:t|nent) pas|(?:is|are) (?:not )?(?:ok(?:ay)?|fine|acceptable) to|(?:is|are) not (?:accepted|carried|taken)|not possible|only possible|only with|is possible|are possible|do not|don['’]t|never|stays? at home|left at home|(?:may|must|can) not|mustn['’]t|cannot|can['’]t|may (?:only )?be|no (?:pets?|dogs?|animals?|smoking|bikes?|bicycles?)|erlaubt|gestattet|verboten|untersagt|zulässig|willkommen|(?:wird|werden) nicht (?:akzeptiert|angenommen|befördert)|nur mit|nur in begleitung|nicht möglich|bleib(?:t|en) zu hause|nur .{0,40}möglich|d[aü]rf(?:en|st|t)?|bed[aü]rf\p{L}*|autorisée?s?|interdite?s?|permise?s?|admise?s?|défendue?s?|bienvenue?s?|(?:est|sont) (?:pas|plus) (?:acceptée?s?|prise?s?)|(?:peut|peuvent|doit|doivent) (?:pas|être)|permitid[ao]s?|permite|prohibid[ao]s?|prohíbe|bienvenid[ao]s?|(?:se )?admiten?|autorizad[ao]s?|no se pueden?|permess[oaei]|vietat[oaei]|ammess[oaei]|consentit[oaei]|benvenut[aeio]|non si può)(?!\p{L})/iu;

/** Says what must be done, or need not. */
export const saysObligation: RegExp =
  /(?<!\p{L})(?:must|(?:ha(?:ve|s)|needs?|needed|required|obliged|obligated) to|(?:is|are) (?:not )?(?:required|mandatory|compulsory|obligatory|optional|necessary)|no need|need not|needn['’]t|muss|müssen|(?:ist|sind) (?:nicht )?(?:pflicht|verpflichtend|erforderlich|vorgeschrieben|freiwillig|nötig|notwendig)|verpflichtet|d(?:oit|oivent|evez|evons)|faut|obligatoires?|facultati(?:f|ve)s?|nécessaires?|tenue?s? de|deb(?:e|en|emos)|deberán?|obligatori[ao]s?|hay que|tienen? que|opcional(?:es)?|necesari[ao]s?|dev(?:e|ono)|bisogna|obbligatori[ao]?|necessari[ao]?)(?!\p{L})/iu;

/** Things of one kind, which rules name by the kind: who asks for a dog reads of pets. */
const kinds: readonly ReadonlySet<string>[] = [
  'animal animals pet pets dog dogs puppy puppies cat cats tier tiere haustier haustiere hund hunde katze katzen animaux chien chiens chat chats animales mascota mascotas perro perros gato gatos animale animali cane cani gatto gatti',
  'smoke smoking cigarette cigarettes cigar vape vaping rauchen zigarette zigaretten fumer cigarettes fumar cigarrillo fumare sigaretta sigarette',
  'bike bikes bicycle bicycles cycling fahrrad fahrräder rad räder vélo vélos bicyclette bici bicicleta bicicletas bicicletta biciclette',
  'child children kid kids baby babies toddler toddlers minors kind kinder baby babys enfant enfants bébé niño niños niña bebé menores bambino bambini',
  'photo photos photograph photographs photography camera cameras filming foto fotos fotografieren photographie photographier photographies fotografía fotografías fotografiar fotografia fotografie fotografare',
].map((words) => new Set(words.split(' ')));

/** Whether two lower-case words name things of one kind. */
export function isOfKind(a: string, b: string): boolean {
  return kinds.some((kind) => kind.has(a) && kind.has(b));
}

/** What only asks, and verbs that say little beside the thing: to bring, to have or to keep a dog. */
export const leansOnPermission: RegExp =
  /^(?:mein\p{L}*|unser\p{L}*|mon|ma|mes|notre|nos|mis?|nuestr[oa]s?|mi[oae]|miei|puis|puedo|podemos|posso|possiamo|bring|brings|have|keep|own|take|pay|alone|stellen|abstellen|nutzen|benutzen|legen|allowed|permitted|forbidden|prohibited|banned|welcome|allein\p{L}*|mitbringen|halten|haben|erlaubt|verboten|gestattet|mitnehmen|zahlen|bezahlen|payer|pagar|pagare|amener|emmener|avoir|permis|interdit|autorisé\p{L}*|tener|traer|llevar|permitid[ao]s?|prohibid[ao]s?|portare|avere|tenere|permess[oaei]|vietat[oaei])$/iu;

/** Asks whether somebody may or can do something, in English and German. */
export const asksModal: RegExp = /^\W*(?:can|could|may|darf|dürfen|kann|können)\s+\p{L}/iu;
/** Says that somebody may or must, or may not. */
export const saysModal: RegExp =
  /(?<!\p{L})(?:may|must|shall|can(?:not|['’]t)?|mustn['’]t|(?:is|are) (?:not )?(?:allowed|permitted|required|obliged|entitled|prohibited|forbidden)|darf|dürfen|kann|können|muss|müssen|(?:ist|sind) (?:nicht )?(?:berechtigt|verpflichtet|befugt))(?!\p{L})/iu;
