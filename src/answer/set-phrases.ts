import type { Hit } from '../core/types.ts';
import { hasOwnLetters, isTraditional, languageOf, openingLanguage } from '../text/languages/detect.ts';
import { functionWords } from '../text/languages/function-words.ts';

/** What an answer says of itself, beside what it quotes. */
interface SetPhrases {
  /** In place of an answer, where the documents have none. */
  readonly refusal: string;
  /** The same where there are no documents. */
  readonly noDocuments: string;
  /** Before the sentences of an answer of low confidence, so that nobody takes them for more than they are. */
  readonly doubt: string;
  /** Between two answers that contradict each other. */
  readonly otherwise: string;
}

/** A mark of full width has its blank. */
function withBlank(opening: string): string {
  return opening.endsWith('：') ? opening : `${opening} `;
}

const phrases = (refusal: string, noDocuments: string, doubt: string, otherwise: string): SetPhrases => ({
  refusal,
  noDocuments,
  doubt: withBlank(doubt),
  otherwise: withBlank(otherwise),
});

const english = phrases(
  'The indexed documents do not seem to answer this.',
  'The index has no documents.',
  'The documents may not answer this; the nearest passage:',
  'Another document says otherwise:',
);

/** By the codes of `languageOf`; Chinese by its letters too. */
const byLanguage: Readonly<Record<string, SetPhrases>> = {
  en: english,
  de: phrases(
    'Die Dokumente im Index scheinen das nicht zu beantworten.',
    'Der Index hat keine Dokumente.',
    'Vielleicht beantworten die Dokumente das nicht; die nächste Stelle:',
    'Ein anderes Dokument sagt etwas anderes:',
  ),
  fr: phrases(
    'Les documents indexés ne semblent pas répondre à cette question.',
    "L'index ne contient aucun document.",
    'Les documents ne répondent peut-être pas à cette question ; le passage le plus proche :',
    'Un autre document dit autre chose :',
  ),
  es: phrases(
    'Los documentos indexados no parecen responder a esta pregunta.',
    'El índice no tiene documentos.',
    'Puede que los documentos no respondan a esta pregunta; el pasaje más cercano:',
    'Otro documento dice otra cosa:',
  ),
  it: phrases(
    'I documenti indicizzati non sembrano rispondere a questa domanda.',
    "L'indice non contiene documenti.",
    'Forse i documenti non rispondono a questa domanda; il passo più vicino:',
    'Un altro documento dice altro:',
  ),
  pt: phrases(
    'Os documentos indexados não parecem responder a esta pergunta.',
    'O índice não tem documentos.',
    'Talvez os documentos não respondam a esta pergunta; a passagem mais próxima:',
    'Outro documento diz outra coisa:',
  ),
  nl: phrases(
    'De geïndexeerde documenten lijken deze vraag niet te beantwoorden.',
    'De index bevat geen documenten.',
    'Misschien beantwoorden de documenten deze vraag niet; de passage die er het dichtst bij komt:',
    'Een ander document zegt iets anders:',
  ),
  sv: phrases(
    'De indexerade dokumenten tycks inte besvara frågan.',
    'Indexet har inga dokument.',
    'Dokumenten besvarar kanske inte frågan; det närmaste stället:',
    'Ett annat dokument säger något annat:',
  ),
  no: phrases(
    'De indekserte dokumentene ser ikke ut til å besvare spørsmålet.',
    'Indeksen har ingen dokumenter.',
    'Dokumentene besvarer kanskje ikke spørsmålet; det nærmeste stedet:',
    'Et annet dokument sier noe annet:',
  ),
  pl: phrases(
    'Zaindeksowane dokumenty chyba nie odpowiadają na to pytanie.',
    'Indeks nie zawiera dokumentów.',
    'Dokumenty mogą nie odpowiadać na to pytanie; najbliższy fragment:',
    'Inny dokument mówi co innego:',
  ),
  cs: phrases(
    'Indexované dokumenty na tuto otázku zřejmě neodpovídají.',
    'Index neobsahuje žádné dokumenty.',
    'Dokumenty na tuto otázku možná neodpovídají; nejbližší místo:',
    'Jiný dokument říká něco jiného:',
  ),
  tr: phrases(
    'Dizindeki belgeler bu soruyu yanıtlamıyor gibi görünüyor.',
    'Dizinde belge yok.',
    'Belgeler bu soruyu yanıtlamıyor olabilir; en yakın bölüm:',
    'Başka bir belge farklı söylüyor:',
  ),
  vi: phrases(
    'Các tài liệu trong chỉ mục dường như không trả lời câu hỏi này.',
    'Chỉ mục không có tài liệu nào.',
    'Có thể các tài liệu không trả lời câu hỏi này; đoạn gần nhất:',
    'Một tài liệu khác nói khác:',
  ),
  id: phrases(
    'Dokumen dalam indeks tampaknya tidak menjawab pertanyaan ini.',
    'Indeks tidak berisi dokumen.',
    'Dokumen mungkin tidak menjawab pertanyaan ini; bagian terdekat:',
    'Dokumen lain mengatakan hal yang berbeda:',
  ),
  ru: phrases(
    'Похоже, в проиндексированных документах нет ответа на этот вопрос.',
    'В индексе нет документов.',
    'Возможно, документы не отвечают на этот вопрос; самое близкое место:',
    'В другом документе сказано иначе:',
  ),
  uk: phrases(
    'Схоже, проіндексовані документи не відповідають на це запитання.',
    'В індексі немає документів.',
    'Можливо, документи не відповідають на це запитання; найближче місце:',
    'В іншому документі сказано інакше:',
  ),
  el: phrases(
    'Τα έγγραφα του ευρετηρίου δεν φαίνεται να απαντούν σε αυτή την ερώτηση.',
    'Το ευρετήριο δεν έχει έγγραφα.',
    'Τα έγγραφα ίσως δεν απαντούν σε αυτή την ερώτηση· το πλησιέστερο απόσπασμα:',
    'Ένα άλλο έγγραφο λέει κάτι διαφορετικό:',
  ),
  ja: phrases(
    '索引の文書には、この質問の答えがないようです。',
    '索引に文書がありません。',
    '文書はこの質問に答えていないかもしれません。最も近い箇所:',
    '別の文書では異なる記述があります:',
  ),
  zh: phrases(
    '索引中的文档似乎没有回答这个问题。',
    '索引中没有文档。',
    '文档可能没有回答这个问题；最接近的段落：',
    '另一份文档的说法不同：',
  ),
  ar: phrases(
    'يبدو أن المستندات المفهرسة لا تجيب عن هذا السؤال.',
    'لا توجد مستندات في الفهرس.',
    'قد لا تجيب المستندات عن هذا السؤال؛ أقرب موضع إليه:',
    'يقول مستند آخر غير ذلك:',
  ),
  fa: phrases(
    'به نظر می‌رسد که سندهای نمایه‌شده به این پرسش پاسخ نمی‌دهند.',
    'نمایه هیچ سندی ندارد.',
    'شاید سندها به این پرسش پاسخ ندهند؛ نزدیک‌ترین جا:',
    'سند دیگری چیز دیگری می‌گوید:',
  ),
  he: phrases(
    'נראה שהמסמכים שבאינדקס אינם עונים על השאלה הזאת.',
    'אין מסמכים באינדקס.',
    'ייתכן שהמסמכים אינם עונים על השאלה הזאת; הקטע הקרוב ביותר:',
    'מסמך אחר אומר דבר אחר:',
  ),
  hi: phrases(
    'लगता है कि सूचकांक के दस्तावेज़ इस प्रश्न का उत्तर नहीं देते।',
    'सूचकांक में कोई दस्तावेज़ नहीं है।',
    'हो सकता है कि दस्तावेज़ इस प्रश्न का उत्तर न देते हों; सबसे निकट का अंश:',
    'एक अन्य दस्तावेज़ कुछ और कहता है:',
  ),
  th: phrases(
    'ดูเหมือนว่าเอกสารในดัชนีไม่ได้ตอบคำถามนี้',
    'ดัชนีไม่มีเอกสาร',
    'เอกสารอาจไม่ได้ตอบคำถามนี้ ข้อความที่ใกล้เคียงที่สุด:',
    'เอกสารอีกฉบับกล่าวต่างออกไป:',
  ),
  hu: phrases(
    'Úgy tűnik, hogy az indexelt dokumentumok nem válaszolnak erre a kérdésre.',
    'Az indexben nincs dokumentum.',
    'Lehet, hogy a dokumentumok nem válaszolnak erre a kérdésre; a legközelebbi hely:',
    'Egy másik dokumentum mást mond:',
  ),
  fi: phrases(
    'Näyttää siltä, että hakemiston asiakirjat eivät vastaa tähän kysymykseen.',
    'Hakemistossa ei ole asiakirjoja.',
    'Asiakirjat eivät ehkä vastaa tähän kysymykseen; lähin kohta:',
    'Toinen asiakirja sanoo toisin:',
  ),
  'zh-Hant': phrases(
    '索引中的文件似乎沒有回答這個問題。',
    '索引中沒有文件。',
    '文件可能沒有回答這個問題；最接近的段落：',
    '另一份文件的說法不同：',
  ),
  ko: phrases(
    '색인된 문서에는 이 질문의 답이 없는 것 같습니다.',
    '색인에 문서가 없습니다.',
    '문서가 이 질문에 답하지 않을 수 있습니다. 가장 가까운 부분:',
    '다른 문서에는 다르게 적혀 있습니다:',
  ),
};

/** Function words by language; a language whose letters tell it has none. */
const functionWordsOf: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...functionWords('detect')].map(([language, words]) => [
    language,
    new Set([...words, ...(functionWords('answer').get(language) ?? [])]),
  ]),
);

/** Whether words of a question tell its language: its first two, one that no other has, one and letters of its own, or two. Names tell nothing: `KDE`, `Köln`. */
function tells(question: string, language: string): boolean {
  const own = functionWordsOf.get(language);
  if (own === undefined || openingLanguage(question) === language) return true;
  const words = (question.normalize('NFC').match(/\p{L}+/gu) ?? [])
    .filter((word) => word.length === 1 || word !== word.toUpperCase())
    .map((word) => word.toLowerCase());
  const said = new Set(words.filter((word) => own.has(word)));
  const isAlone = (word: string): boolean =>
    [...functionWordsOf].every(([other, list]) => other === language || !list.has(word));
  return said.size > 1 || [...said].some(isAlone) || (said.size > 0 && hasOwnLetters(question, language));
}

/** Passages that must all be in one language, and characters of each that are looked at. */
const nearest = 3;
const sampleChars = 2000;

const lettersOf = (language: string, text: string): string =>
  language === 'zh' && isTraditional(text) ? 'zh-Hant' : language;

/**
 * In the language of the question. Where its words do not tell one, in that of the nearest passages if they have one in
 * common; else in English, and so where there are no phrases.
 * @param hits best first
 */
export function phrasesFor(question: string, hits: readonly Hit[] = []): SetPhrases {
  const language = languageOf(question);
  if (language !== 'und' && tells(question, language)) return byLanguage[lettersOf(language, question)] ?? english;
  const [first, ...others] = hits.slice(0, nearest).map(({ chunk }) => {
    const sample = chunk.text.slice(0, sampleChars);
    return lettersOf(languageOf(sample), sample);
  });
  return (first !== undefined && others.every((other) => other === first) && byLanguage[first]) || english;
}
