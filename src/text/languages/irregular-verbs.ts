/**
 * English verbs whose forms do not begin alike: the form of the dictionary, then the others. Forms that are more often
 * another word (`led`, `bit`, `ground`, `rose`) are left out.
 */
const verbs = `arise arose arisen|beat beaten|become became|begin began begun|bend bent|bind bound|bite bitten|bleed bled|blow blew blown
  |break broke broken|breed bred|bring brought|build built|burn burnt burned|buy bought|catch caught|choose chose chosen|come came
  |creep crept|deal dealt|die died|dig dug|draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt
  |fight fought|find found|flee fled|fly flew flown|forbid forbade forbidden|forget forgot forgotten|freeze froze frozen|get got gotten
  |give gave given|go went gone|grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept|know knew known
  |lay laid|leave left|lend lent|lie lay lain|lose lost|make made|mean meant|meet met|pay paid|ride rode ridden|ring rang rung
  |rise risen|run ran|say said|see saw seen|seek sought|sell sold|send sent|shake shook shaken|shine shone|shoot shot|shrink shrank shrunk
  |sing sang sung|sink sank sunk|sit sat|sleep slept|slide slid|speak spoke spoken|spend spent|spin spun|spring sprang sprung|stand stood
  |steal stole stolen|stick stuck|sting stung|strike struck stricken|swear swore sworn|sweep swept|swim swam swum|swing swung|take took taken
  |teach taught|tear tore torn|tell told|think thought|throw threw thrown|understand understood|wake woke woken|wear wore worn|weave wove woven
  |win won|withdraw withdrew withdrawn|write wrote written`;

/** What a verb may end with in its form of the dictionary. */
const endings = ['', 's', 'es', 'ing'] as const;

const bases = new Map<string, string>();
for (const list of verbs.split('|')) {
  const [base = '', ...others] = list.trim().split(/\s+/);
  const stem = base.replace(/e$/, '');
  const forms = [...endings.map((ending) => (ending === 'ing' ? stem : base) + ending), `${base}${base.at(-1)}ing`];
  // `lay` is the past of `lie` too: the verb named first keeps its form
  for (const form of [...others, ...forms]) if (!bases.has(form)) bases.set(form, base);
}

/** The form of the dictionary of an English irregular verb, in lower case: `stick` for `stuck` and for `sticks`. */
export function irregularVerb(word: string): string | undefined {
  return bases.get(word);
}

/** `gegründet`, `aufgerufen`: what stands before `ge`, and the stem with its end. */
export const germanParticiple: RegExp =
  /^((?:ab|an|auf|aus|bei|ein|her|hin|mit|nach|um|vor|weg|zu|zurück)?)ge(\p{L}{3,}(?:t|en))$/u;
