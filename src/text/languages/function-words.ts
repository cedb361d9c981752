import { foldLetters } from '../analysis/fold.ts';

/**
 * Uses of a list of function words. `index`: left out of documents and queries. `query`: left out of queries, unless a
 * query has no other words. `answer`: say nothing about the subject of a question. `detect`: tell languages apart.
 * `reference`: refer to earlier text. The lists differ on purpose.
 */
type Purpose = 'index' | 'query' | 'answer' | 'detect' | 'reference';

/**
 * Function words by language (ISO 639-1), each once, under its purposes. Chinese and Japanese entries are characters: a
 * pair of such characters is a function word.
 */
const languages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: {
    'index query answer': 'if into no will',
    'index query answer detect': 'a an and are as at be but by for in is not of on or the to was with',
    'index query answer detect reference': 'it that their there they this',
    'index query answer reference': 'such then these',
    'query answer detect': `
      what which who whom whose when where why how do does did has have had been can we you from
      i`,
    'query answer': 'done being could should would may might our your than',
    'query answer detect reference': 'he she its his her',
    answer: 'nor here without about per am doing having shall must me my us whats so some any just also too s t vs',
    'answer reference': 'those him them',
    'answer detect': 'were',
    reference: 'itself theirs hers one ones same former latter else another',
  },
  de: {
    'query answer detect': 'wie wer wann wo warum welche welcher welches welchen welchem wozu wofür womit wodurch',
    'query answer': 'wen wem wessen woher wohin weshalb wieso',
    'answer detect': `
      der die das den dem des ein eine einer einem einen eines und oder als dass ist sind war wird werden wurde hat
      ich wir sich im an auf aus bei mit nach von zu zum zur für über um was nicht auch noch kann können soll muss
      darf`,
    answer: `
      aber doch wenn ob waren wurden worden würde würden wäre wären haben hatte hatten konnte du man mich dir ihnen in am
      beim vom unter durch gegen ohne viel viele vielen kein keine nur so gab gibt
      mein meine meinem meinen meiner meines unser unsere unserem unseren unserer unseres`,
    'answer reference': `
      sein ihr ihm ihn ihre ihrer ihrem ihren seine seiner seinem seinen diese dieser dieses diesem diesen`,
    'answer detect reference': 'er sie es',
    reference: 'jener jene jenes dort dann damit davon dafür daran darin darauf dazu dabei dadurch deren dessen',
  },
  es: {
    'query answer detect': 'qué quién cuál cuáles cuándo dónde cómo cuántos cuántas',
    'query answer': 'quiénes cuánto cuánta',
    'answer detect': `
      el la los las un una y pero que como de del al en por para con entre es son fue está ha se no más también`,
    'answer detect reference': 'lo su sus este esta',
    detect: 'puedo puede debo tengo',
    answer: `
      unos unas e o u ni si cuando donde a sin sobre desde hasta era eran fueron será serán sería serían ser sido están
      estaba han había habrá hay
      tiene tenía tuvo le les me te nos mi tu yo muy`,
    'answer reference': 'él ella estos estas ese esa eso',
    reference: 'ellos ellas esto esos esas allí',
  },
  fr: {
    'query answer detect': 'où quand pourquoi combien quel quelle quels quelles',
    'query answer': 'quoi',
    'answer detect': `
      le la les un une des du de et ou que qui comment au aux dans par pour avec sur est sont était été ont se nous
      vous je ne pas plus`,
    detect: 'peut peux faut',
    answer: `
      l d mais ni si qu dont à sans sous entre vers chez étaient fut furent seront serait seraient être a avait avaient
      auront s on tu me te c n`,
    'answer detect reference': 'en sa son ses il elle ce cette',
    'answer reference': 'leur leurs ils elles cet ces y',
    reference: 'lui cela ça celui celle ceux celles là',
  },
  it: {
    'query answer detect': 'chi perché quanti quale quali cosa',
    'query answer': 'quanto quante',
    'answer detect': `
      il lo la i gli le un una e ed che come quando dove di del della dei delle al alla ai da in nel nella con per è
      sono ha si non più`,
    answer: `
      l uno o ma né se cui quanta qual dello degli d a allo agli alle dal dalla dai nello nei nelle su sul sulla tra
      fra era erano fu furono sarà saranno sarebbe essere stato stata stati hanno aveva c`,
    'answer reference': 'suo sua suoi sue questa',
    'answer detect reference': 'questo',
    detect: 'anche bisogna può possono devo dobbiamo vengono',
    reference: 'esso essa essi esse lui lei loro quello quella ciò lì',
  },
  pt: {
    'query answer detect': 'quem qual quais quando onde quantos',
    'query answer': 'quantas',
    'answer detect': `
      o a os as um uma e ou se que como de do da dos das em no na nos por pelo pela para com é são foi não mais ao à`,
    answer: `
      uns umas mas nem porque quanto quanta nas sem sobre entre até era eram foram será serão seria ser sido está tem
      tinha há às`,
    'answer detect reference': 'seu sua',
    'answer reference': 'seus suas este esta isso',
    detect: 'também',
    reference: 'ele ela eles elas isto esse essa lá aí',
  },
  nl: {
    'query answer detect': 'wie waar wanneer waarom welke',
    'query answer': 'hoeveel welk',
    'answer detect': `
      de het een en maar wat hoe is zijn was wordt werd heeft in op aan uit bij met naar van voor door om te er niet
      ook`,
    answer: 'of waren werden hebben had over onder',
    'answer detect reference': 'dat die deze',
    'answer reference': 'dit',
    detect: 'als ik',
    'detect reference': 'hij ze',
    reference: 'zij hem haar hun daar ervan erin ermee hetzelfde',
  },
  ru: {
    'query answer': `
      что кто кого кому кем чем чей какой какая какое какие каким каких какую каком когда где куда откуда почему
      зачем сколько`,
    answer: `
      и в во на с со к ко у о об от до из за по для при под над без через между не ни но а или чтобы как так тот та
      те я ты мы вы был была было были есть быть ли же бы после`,
    'answer reference': 'это этот эта эти он она оно они его её ее их ему ей им',
    reference: 'там тогда',
  },
  ar: {
    'query answer': 'ما ماذا متى أين كيف كم لماذا أي أية هل',
    answer: `
      في من على إلى الى عن مع هو هي هم هن التي الذي الذين هذا هذه ذلك تلك كان كانت يكون تم قد لا لم لن و أو ثم بين
      بعد قبل عند كل منذ ومن وما به بها له لها`,
  },
  hi: {
    'query answer': 'किस किन कौन क्या कब कहाँ कहां कैसे क्यों कितना कितनी कितने किसने किसे किसका',
    answer: `
      का की के को में से पर और या है हैं था थी थे हो हुआ हुई हुए ने एक यह वह ये वे इस उस इन उन जो तो भी ही लिए द्वारा
      साथ कर किया गया गई गए कि तक बाद अपने उनके इसके`,
  },
  sv: {
    'query answer detect': 'vilken vilket vilka varför',
    'answer detect': 'och att inte ett från också är på för när där vem',
    answer: 'åt',
    detect: 'till hos som av med vad hur det den har',
  },
  no: {
    'query answer detect': 'hvilken hvilket hvilke hvordan hvorfor',
    'answer detect': 'hvem ikke også når på', // HVEM is a protein
    answer: 'etter mellom',
    detect: 'og fra til som av med hva hvor det har',
  },
  pl: {
    'query answer detect': 'gdzie kiedy dlaczego jaki jaka jakie jakim jakiej który która które którym której',
    'answer detect': 'jest się nie są został była było czy oraz przez',
    answer: 'który',
    detect: 'kto ile jak co w z na od dla do czego czym',
  },
  cs: {
    'query answer detect': 'kolik který která které kterém proč jaký jaká jaké',
    'answer detect': 'byl byla bylo jsou při není také nebo',
    answer: 'že až',
    detect: 'kdo kdy kde jak co je v na od pro',
  },
  tr: {
    'query answer detect': 'hangi nerede nedir kimdir nasıl kaç niçin hangisidir kaçıncı nereden nereye kimin',
    'answer detect': 'bir bu ve için olarak olan tarafından',
    answer: 'daha',
    detect: 'ile ilk ne kim neden en çok gibi sonra oldu',
  },
  vi: {
    'query answer detect': 'nào gì nhiêu',
    'answer detect': 'là của và được trong cho với những các một có đã vào này',
    answer: 'ở để từ đến',
    detect: 'bao ai đâu không khi người',
  },
  id: {
    'query answer detect':
      'siapa siapakah kapan kapankah berapa berapakah apakah bagaimana mengapa dimana dimanakah manakah',
    'answer detect': 'yang dengan untuk pada adalah dari oleh dalam',
    answer: 'juga',
    detect: 'dan di ke itu ini apa nama',
  },
  hu: {
    'query answer detect': 'mennyi hány hogyan miért melyik milyen mikor mennyibe honnan hová hányan',
    'answer detect': 'az és hogy egy nem vagy csak kell lehet által között szerint után amely szükséges',
    detect: 'hol ezt azt lesz',
  },
  fi: {
    'query answer detect':
      'kuinka mikä mitä missä milloin miksi kuka kenen montako paljonko mihin mistä minkä millainen',
    'answer detect': 'että ovat joka kuin mutta myös sekä jotka tämä voidaan',
    detect: 'jos niin miten sitten tai ei eivät ehkä onko',
  },
  uk: {
    'query answer': `
      що хто коли де куди звідки чому скільки який яка яке які якому якій якого`,
    answer: 'є та й або із зі від до на у в за при це цей ця був була було були як не що',
  },
  el: {
    'query answer': `
      τι ποιος ποια ποιο ποιον ποιοι ποιες πού πότε πώς γιατί πόσο πόσος πόση πόσοι πόσες πόσα πόσους πόσων`,
    answer: `
      ο η το οι τα του της των τον την τη τους τις ένας μια μία ένα και ή να θα με σε στο στη στην στον στους στις στα
      από για που είναι ήταν έχει δεν μην ως κατά`,
  },
  he: {
    'query answer': `
      מה מי מתי איפה היכן כמה איך כיצד מדוע למה איזה איזו אילו מהו מהי מהם מהן מיהו מיהי האם לאן במה למי באיזה באיזו לאיזה`,
    answer: `
      של את על עם הוא היא הם הן זה זו זאת או גם אם כי לא יש היה הייתה היתה היו אל כל בין אך רק עוד אשר לאחר לפני לפי
      אחרי יותר`,
  },
  fa: {
    'query answer': 'چه چیست کیست کدام کجا کجاست چند چگونه چرا چقدر آیا',
    answer: 'از به با در که این آن را است بود برای یا و تا هر شد شده می بر نیز خود وی های بودند دارد',
  },
  ko: {
    answer: '그 이 및 또는 그리고 등 때 것 있는 하는 한 대한 대해 위해',
  },
  zh: {
    answer: '什 么 哪 谁 何 几 多 少 怎 的 了 是 在 和 与 有 被 个 些 为',
  },
  ja: {
    answer: 'は が を に で と も へ か の た だ て い る れ し す ま せ ん う な ど こ つ く ら 何 誰 よ',
  },
};

/** Language → its words for a purpose, without languages that have none. */
export function functionWords(purpose: Purpose): ReadonlyMap<string, ReadonlySet<string>> {
  const byLanguage = Object.entries(languages).map(([language, lists]) => {
    const own = Object.entries(lists).filter(([purposes]) => purposes.split(' ').includes(purpose));
    return [language, new Set(own.flatMap(([, words]) => words.trim().split(/\s+/)))] as const;
  });
  return new Map(byLanguage.filter(([, words]) => words.size > 0));
}

const all = (purpose: Purpose): ReadonlySet<string> =>
  new Set([...functionWords(purpose).values()].flatMap((words) => [...words]));

/** English words without a subject; left out of documents and queries. */
export const stopWords: ReadonlySet<string> = all('index');

/**
 * `stopWords` with what asks in other languages, and with English auxiliaries and pronouns; left out of a query that has
 * other words. A word that means something in another language is not among them: `comment`, `dove`, `hat`.
 */
export const queryStopWords: ReadonlySet<string> = all('query');

const answerWords: ReadonlySet<string> = new Set([...all('answer')].map(foldLetters));

/** @param word lower case; `unspaced` when it is a run of Han, kana or Thai characters */
export function isFunctionWord(word: string, unspaced: boolean): boolean {
  if (answerWords.has(foldLetters(word))) return true;
  if (!unspaced) return false;
  for (const c of word) if (!answerWords.has(c)) return false;
  return true;
}

/** Function words of other languages that say something in this one: `Where did she die?`, `die Quelle`, `al sur` */
const meantIn: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    en: 'den die era hat hay man pour sin son war',
    de: 'los mais quelle',
    es: 'sur',
  }).map(([language, words]) => [language, new Set(words.split(' '))]),
);

/** Whether a word is a function word in a text of that language (ISO 639-1), whatever it is in others. */
export function isEmptyIn(language: string, word: string, unspaced: boolean): boolean {
  return isFunctionWord(word, unspaced) && meantIn.get(language)?.has(word) !== true;
}

const answerWordsOf: ReadonlyMap<string, ReadonlySet<string>> = functionWords('answer');

/** `CHO`, `DES` in English: what a language writes in capitals is none of the small words of another one. */
export function isForeignEmpty(language: string, word: string): boolean {
  return answerWordsOf.get(language)?.has(word) === false;
}

/** Words of a query that ask in another language, and say something in its own: `Quelle` of a German one. */
export function meantWords(language: string, words: readonly string[]): string[] {
  return words.filter((word) => queryStopWords.has(word) && meantIn.get(language)?.has(word) === true);
}

const referenceWords = all('reference');
/** Reference words of languages written without spaces. */
const unspacedReference = /それ|その|これ|この|あれ|そこ|彼|它|他|她|这|這|那|其/;
/** Beginnings of a question that continues an earlier one. */
const continuation = /^\s*(?:and|but|or|so|what about|how about|und|aber|et|mais|y|e|en|и|а)(?!\p{L})/iu;

/** Whether a question continues an earlier one, or has a word that refers to earlier text. */
export function refersBack(question: string, words: Iterable<{ word: string; unspaced: boolean }>): boolean {
  if (continuation.test(question) || unspacedReference.test(question)) return true;
  for (const { word, unspaced } of words) if (!unspaced && referenceWords.has(word)) return true;
  return false;
}
