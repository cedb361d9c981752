/**
 * Questions for a sum, a number of hours or years, or a share, and what says one, in languages that `measures.ts` does
 * not have.
 */

const whole = (words: string): string => `(?<![\\p{L}\\p{M}])(?:${words})(?![\\p{L}\\p{M}])`;

/** What says that nothing is to be paid, and the names of money. */
export const moneyElsewhere: string = [
  '[元円]|無料|免[费費]|[0-9][0-9,.]*\\s?[만천억]?\\s?원|무료|달러|유로|руб|бесплатн|долл?ар|евро',
  'грн|гривн|гривень|євро|безкоштовн|ευρώ|δολάρι|δωρεάν|บาท|ดอลลาร์|ฟรี|रुप[यए]|डॉलर|मुफ़?्त|निःशुल्क',
  'تومان|ریال|دلار|یورو|رایگان|دولار|يورو|ريال|درهم|دينار|جنيه|ليرة|مجان|ש"ח|שקל|דולר|אירו|חינם',
  whole(
    'zł|złot\\p{L}+|grosz\\p{L}*|darm\\p{L}+|bezpłat\\p{L}+|kč|korun\\p{L}*|zdarma|bezplatn\\p{L}+|tl|lira\\p{L}*|dolar\\p{L}*|avro\\p{L}*|euro\\p{L}*|ücretsiz|bedava|đồng|đô la|miễn phí|kron\\p{L}+|kostnadsfri\\p{L}*|ft|forint\\p{L}*|ingyen\\p{L}*|ilmai\\p{L}+|maksut\\p{L}+',
  ),
].join('|');

const sumAsked = [
  '(?:給料|給与|料金|価格|値段|家賃|費用|代金|使用料|会費|時給).*(?:いくら|何円)|(?:年間|年額|月額|一年|1年|一つ|1つ)(?:で|に)?いくら|いくら(?:かかり|かかる|払)',
  '多少[钱錢]|(?:價格|價錢|租金|房租|費用|薪水|工資|票[价價]|售[价價]).*(?:多少|幾)',
  '(?:가격|요금|비용|월급|급여|임대료|수수료|연봉|값)(?:은|는|이|가)?\\s.*(?:얼마|몇)|비용이 얼마',
  '(?:قیمت|هزینه|بهای|حقوق|اجاره|شهریه).*(?:چقدر|چند)|چقدر (?:هزینه|قیمت)',
  '(?:كم|ما)\\s+(?:هو |هي )?(?:ال)?(?:سعر|ثمن|تكلفة|كلفة|رسوم|راتب|إيجار)|كم (?:يكلف|تكلف)|بكم',
  'כמה (?:עולה|עולים|עולות)|מה ה?(?:מחיר|עלות|משכורת)',
  '(?:कीमत|क़ीमत|मूल्य|दाम|शुल्क|किराया|वेतन).*(?:कितन|क्या)',
  'ราคา.*เท่า|กี่บาท|ค่า[ก-๛]*เท่า',
  whole('bao nhiêu tiền|giá bao nhiêu|(?:giá|chi phí|lương|tiền thuê) .*bao nhiêu'),
  whole('(?:fiyat|ücret|maliyet|kira|maaş)\\p{L}* (?:ne kadar|nedir|kaç).*|kaç (?:lira|dolar|euro)|kaça'),
  'πόσο κοστίζ|ποι[αοό]ς? είναι (?:η τιμή|το κόστος|ο μισθός|το ενοίκιο)',
  whole('ile kosztuj\\p{L}*|jaka jest (?:cena|opłata|pensja)|jaki jest (?:koszt|czynsz)'),
  whole('kolik (?:to )?stoj\\p{L}*|jak(?:á|é) je (?:cena|mzda|nájemné)'),
  whole('скільки кошту\\p{L}+|яка (?:ціна|вартість|зарплата)'),
  whole('(?:wat|hoeveel) kost(?:en|te)?|wat is de (?:prijs|huur)'),
  whole(
    '(?:vad|hur mycket) kosta[rd]e?|vad är (?:priset|hyran|avgiften)|hva(?:d)? koste[rt]|hvor (?:mye|meget) koster',
  ),
  whole('mennyibe kerül\\p{L}*|paljonko .*maksa\\p{L}*|(?:mitä|kuinka paljon) .*maksa\\p{L}*'),
].join('|');

const timeAsked = [
  '何(?:年間|[かヶカケ]月|週間|日間|時間|分間|秒間)|[几幾](?:个月|個月|天|个?小时|個?小時|分[钟鐘])|多少(?:天|个月|個月|个?小时|個?小時|分[钟鐘]|秒)',
  '몇\\s?(?:년간|년 동안|개월|주간|일간|일 동안|시간)',
  'چند (?:سال|ماه|هفته|روز|ساعت|دقیقه|ثانیه)(?!\\p{L})|كم (?:سنة|عام[اً]+|شهر[اً]+|أسبوع[اً]+|يوم[اً]+|ساعة|دقيقة|ثانية)',
  'כמה (?:שנים|חודשים|שבועות|ימים|שעות|דקות|שניות)|कितने (?:साल|वर्ष|महीने|सप्ताह|दिन|घंटे|मिनट)|กี่\\s?(?:ปี|เดือน|สัปดาห์|วัน|ชั่วโมง|นาที|วินาที)',
  whole('(?:mấy|bao nhiêu) (?:năm|tháng|tuần|ngày|giờ|phút|giây)|kaç (?:yıl|ay|hafta|gün|saat|dakika|saniye)'),
  'πόσ(?:α (?:χρόνια|έτη|λεπτά)|ες (?:ώρες|η?μέρες|εβδομάδες)|ους μήνες)',
  whole('ile (?:lat|miesięcy|tygodni|dni|godzin|minut)|kolik (?:let|měsíců|týdnů|dn[íů]|hodin|minut)'),
  whole('скільки (?:років|місяців|тижнів|днів|годин|хвилин)'),
  whole(
    'hoeveel (?:ja(?:ar|ren)|maanden|weken|dagen|uur|uren|minuten)|hur många (?:år|månader|veckor|dagar|timmar|minuter)',
  ),
  whole('hvor mange (?:år|måneder|uker|uger|dage[r]?|timer|minutter)'),
  whole(
    'kuinka monta (?:vuotta|kuukautta|viikkoa|päivää|tuntia|minuuttia)|hány (?:év|évig|hónap|hét|nap|óra|perc)\\p{L}*',
  ),
].join('|');

const timeTold = [
  '[年月天日秒分周週]|小[时時]|星期|時間|[년월일주분초]|시간|하루|이틀',
  'سال|ماه|هفته|روز|ساعت|دقیقه|ثانیه|سن[ةو]|عام|شهر|أسبوع|يوم|أيام|دقي?ق|دقائق|ساع|ثاني|ثوان|שנ|חודש|שבוע|יום|ימים|שע[הו]|דק[הו]',
  'साल|वर्ष|महीन|माह|सप्ताह|दिन|घंट|मिनट|ปี|เดือน|สัปดาห์|วัน|ชั่วโมง|นาที|วินาที',
  whole('năm|tháng|tuần|ngày|giờ|tiếng|phút|giây|(?:yıl|ay|hafta|gün|saat|dakika|saniye)\\p{L}*'),
  '\\d[:h]|χρόν|έτ[ηο]|μήν|εβδομάδ|μέρ|ώρ[αε]|λεπτ',
  whole(
    'lat\\p{L}{0,3}|rok\\p{L}*|miesi\\p{L}+|tydz\\p{L}+|tygod\\p{L}+|dni\\p{L}{0,3}|dzień|godz\\p{L}+|minut\\p{L}*|sekund\\p{L}*',
  ),
  whole('let|měsíc\\p{L}*|týd\\p{L}+|dn[íůyue]\\p{L}{0,2}|den|hodin\\p{L}*'),
  whole('рок\\p{L}*|рік|місяц\\p{L}+|тиж\\p{L}+|дн\\p{L}{1,3}|день|годин\\p{L}*|хвилин\\p{L}*|секунд\\p{L}*'),
  whole(
    'ja(?:ar|ren)|maand\\p{L}*|we(?:ek|ken)|dag\\p{L}{0,3}|u(?:ur|ren)|minuten|seconde\\p{L}*|år\\p{L}{0,3}|måned\\p{L}*|månad\\p{L}*|veck\\p{L}+|u[kg]er?|tim\\p{L}{1,5}|minutter',
  ),
  whole(
    'vuo[sdt]\\p{L}+|kuukau\\p{L}+|viikko?\\p{L}+|päiv\\p{L}+|tun[tn]\\p{L}+|év\\p{L}{0,4}|hónap\\p{L}*|hét|het\\p{L}+|nap\\p{L}*|ór[aá]\\p{L}*|perc\\p{L}*',
  ),
].join('|');

const shareAsked = [
  '何(?:パーセント|[%％割])|몇\\s?(?:퍼센트|%|프로)|چند درصد|(?:ما|كم) (?:هي )?(?:ال)?نسبة|כמה אחוז|איזה אחוז|कितने प्रतिशत|กี่เปอร์เซ็นต์|ร้อยละเท่า',
  whole(
    'bao nhiêu phần trăm|yüzde kaç\\p{L}*|(?:τι|ποιο) ποσοστό|(?:ile|jaki|kolik) procent|скільки відсотків|який відсоток',
  ),
  whole('hoeveel procent|welk percentage|hur många procent|hvor mange prosent'),
].join('|');
const shareTold =
  '[%％‰٪]|パーセント|割|分の|퍼센트|프로|분의|절반|半分|درصد|نیم|بالم[ئا]|في الم|نصف|ثلث|ربع|אחוז|חצי|प्रतिशत|आध|เปอร์เซ็นต์|ร้อยละ|ครึ่ง|phần trăm|nửa|yüzde|yarı|τοις εκατό|ποσοστ|μισ|proc|pros|відсот|половин|połow|polovin|helft|hälft|\\p{N}\\s?/\\s?\\p{N}';

/** As `demandedMeasures` has them. */
export const demandedElsewhere: readonly {
  readonly asks: RegExp;
  readonly holds: RegExp;
  readonly bareInTables: boolean;
}[] = [
  {
    asks: new RegExp(sumAsked, 'iu'),
    holds: new RegExp(`\\p{Sc}|USD|EUR|${moneyElsewhere}`, 'iu'),
    bareInTables: true,
  },
  { asks: new RegExp(timeAsked, 'iu'), holds: new RegExp(timeTold, 'iu'), bareInTables: false },
  { asks: new RegExp(shareAsked, 'iu'), holds: new RegExp(shareTold, 'iu'), bareInTables: true },
];
