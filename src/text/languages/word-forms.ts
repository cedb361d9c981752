import { type FormLists, german, swedish } from './word-forms-germanic.ts';

/**
 * Forms of one word that no stemmer brings together, the form of the dictionary first: a query for one looks for all.
 * A form behind `~` is as often another word: a query for another form finds it, a query for it asks for itself alone
 * (`found` a company, a `saw`, the plural of `axe`). Left out are words that are another word even beside their own
 * forms: `lead led` (the metal, LED), `leave left`, `bear bore born`, `grind ground`, `wind wound`, `bind bound`,
 * `lay laid` beside `lie`, `light lit`, `think thought`, `mean meant`, `spring sprang`, `spell spelt`, `bite bit`,
 * `basis bases`, `life lives`, `medium media`, `datum data`.
 */
const verbs = `arise arose arisen|awake awoke awoken|beat beaten|become became|begin began begun|bend bent|bite bitten|bleed bled|blow blew blown
  |break broke broken|breed bred|bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen|cling clung|creep crept|deal dealt
  |die dies dying died|dig dug|draw ~drew drawn|dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed ~fed|feel ~felt
  |fight fought|find ~found|flee fled|fling flung|fly flew flown|forbid forbade forbidden|foresee foresaw foreseen|forget forgot forgotten
  |forgive forgave forgiven|freeze froze frozen|grow grew grown|hang hung|hear heard|hide hid hidden|hold held|kneel knelt|learn learnt|leap leapt
  |lend ~lent|lie lies lying lied|lose lost|meet met|mistake mistook mistaken|overcome overcame|oversee oversaw overseen|overtake overtook overtaken
  |overthrow overthrew overthrown|pay paid|prove proven|rebuild rebuilt|repay repaid|rewrite rewrote rewritten|ride rode ridden|ring rang ~rung
  |rise ~rose risen|run ran|see ~saw seen|seek sought|sell sold|send sent|shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk
  |sing sang sung|sink sank sunk|sit ~sat|slay slew slain|sleep slept|slide slid|speak ~spoke spoken|spend spent|spill spilt|spin spun|spoil spoilt
  |stand stood|steal stole stolen|stick stuck|sting stung|stride strode|strike struck stricken|strive strove striven|swear swore sworn|sweep swept
  |swell swollen|swim swam swum|swing swung|teach taught|tear tore torn|tell told|throw threw thrown|tie ties tying tied|tread trod trodden
  |undergo underwent undergone|understand understood|undertake undertook undertaken|undo undid undone|uphold upheld|wake ~woke woken|wear wore worn
  |weave wove woven|weep wept|win won|withdraw withdrew withdrawn|withhold withheld|withstand withstood|write wrote written`;
const nouns = `child children|man men|woman women|person people|foot feet|tooth teeth|goose geese|mouse mice|louse lice|ox oxen|wife wives|knife knives
  |shelf shelves|thief thieves|wolf wolves|calf calves|half halves|loaf loaves|leaf ~leaves|hoof hooves|scarf scarves|dwarf dwarves|penny pence
  |criterion criteria|phenomenon phenomena|analysis analyses|crisis crises|thesis theses|hypothesis hypotheses|synthesis syntheses
  |diagnosis diagnoses|prognosis prognoses|parenthesis parentheses|axis ~axes|oasis oases|index indices|appendix appendices|matrix matrices
  |vertex vertices|vortex vortices|helix helices|codex codices|fungus fungi|stimulus stimuli|nucleus nuclei|radius radii|focus foci|locus loci
  |alumnus alumni|syllabus syllabi|bacterium bacteria|stratum strata|memorandum memoranda|curriculum curricula|erratum errata|addendum addenda
  |symposium symposia|millennium millennia|ovum ova|corpus corpora|genus genera`;

/** Verbs that lean on a noun, and words left out above: their forms stand in only where the index does not hold the one that was typed. */
const light =
  'come came|get got gotten|give gave given|go went gone|keep kept|know knew known|leave left|make made|mean meant|say said|take took taken|think thought';

/** Forms that are things more often than what somebody does. */
const things: ReadonlySet<string> = new Set('building dealing drawing feeling finding meeting standing'.split(' '));

const lists: Readonly<Record<string, FormLists>> = {
  en: { always: `${verbs}|${nouns}`, light },
  de: german,
  sv: swedish,
};

const groupsOf = (list: string): readonly (readonly string[])[] =>
  list.split('|').map((group) => group.trim().split(/\s+/));

/** The forms of each English verb, that of the dictionary first. */
export const verbForms: readonly (readonly string[])[] = groupsOf(`${verbs}|${light}`.replaceAll('~', ''));
/** The forms of each English noun whose plural has another stem, without those that are as often another word. */
export const nounForms: readonly (readonly string[])[] = groupsOf(nouns.replace(/~[^\s|]+/g, ''));

/** The forms of one word. */
interface WordForms {
  /** Each as it is written, in lower case; with the one that was asked for. */
  readonly forms: readonly string[];
  /** Whether they stand in for a form that the index does not hold, and for no other. */
  readonly light: boolean;
}

/** By word, then by language; made at the first use. */
let known: Map<string, Map<string, WordForms>> | undefined;

/**
 * All forms of a word in lower case, where a stemmer does not bring them together, by language (ISO 639-1); undefined
 * for most words.
 */
export function wordForms(word: string): ReadonlyMap<string, WordForms> | undefined {
  known ??= allForms();
  return known.get(word);
}

function allForms(): Map<string, Map<string, WordForms>> {
  const words = new Map<string, Map<string, WordForms>>();
  const add = (language: string, list: string, light: boolean): void => {
    for (const group of list.split('|')) {
      const marked = group.trim().split(/\s+/);
      const entry = { forms: marked.map((form) => form.replace('~', '')), light };
      const asked = marked.filter((form) => !form.startsWith('~'));
      for (const form of language === 'en' ? [...asked, ...inflected(marked[0]!)] : asked) {
        const own = words.get(form) ?? new Map<string, WordForms>();
        if (!own.has(language)) words.set(form, own.set(language, entry));
      }
    }
  };
  for (const [language, { always, light }] of Object.entries(lists)) {
    add(language, always, false);
    add(language, light, true);
  }
  return words;
}

/** `flies`, `riding`, `running`; some are other words (`win`, `wines`), which the stemmer tells. */
function inflected(base: string): string[] {
  const all = [
    `${base}s`,
    `${base}es`,
    base.replace(/y$/, 'ies'),
    base.replace(/e?$/, 'ing'),
    `${base}${base.at(-1)}ing`,
  ];
  return all.filter((form) => !things.has(form));
}
