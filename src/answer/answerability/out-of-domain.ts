/**
 * Everyday questions about everything. Most of them are out of the domain of any one collection, so their support shows
 * the support of a question without an answer. A collection may answer a few of them: calibration reads quantiles, not
 * the maximum.
 */
const english = `
how long should pizza dough rest in the fridge before baking
who painted the ceiling of the sistine chapel
what is the fastest land animal in the world
when did the titanic sink
how many strings does a cello have
which vitamin do you get from sunlight
where is mount kilimanjaro located
who won the first football world cup in 1930
what temperature should a chicken be cooked to
how do you remove red wine stains from a carpet
what is the currency of switzerland
why do cats purr when they are stroked
how many players are there in a volleyball team
who composed the four seasons
what is the tallest waterfall on earth
how often should tomato plants be watered in summer
when was the eiffel tower built
what does a blue flag at the beach mean
which planet has the most moons
how do i change a bicycle tyre
who discovered penicillin and in which year
what are the rules of offside in hockey
how much does it cost to renew a passport
where do emperor penguins live
what is the difference between jam and marmalade
how tall was the tallest person ever recorded
which instruments belong to the woodwind family
who was the first woman to fly across the atlantic
what is the best way to sharpen a kitchen knife
how many bones are in the human foot
when do the clocks go back in autumn
what causes the northern lights
who founded the city of saint petersburg
is it safe to eat raw mushrooms
how does a dishwasher work
what is the capital of mongolia
which film won the most academy awards
how do bees make honey
what were the main exports of ancient carthage
how long does a goldfish live in a bowl
who is the patron saint of ireland
what is the melting point of gold
how do you say good morning in swedish
what breed of dog is used to rescue people from avalanches
who wrote the novel don quixote
how many lanes does an olympic swimming pool have
what is the origin of the word sandwich
which river flows through budapest
can horses sleep standing up
what is a good substitute for eggs in pancakes
who invented the sewing machine
when did the berlin wall fall
how far is the moon from the earth
what colours are on the flag of jamaica
what is the minimum age to rent a car in portugal
why is the sea salty
which spice is made from crocus flowers
how many keys does a grand piano have
who was the last tsar of russia
what is the recipe for a traditional paella
how do volcanoes erupt under the ocean
what does the opera carmen tell
where was the treaty of westphalia signed
how much water should a camel drink each day
what is the offset of the timezone in nepal
does coffee stunt the growth of children
which chess opening begins with the queen's pawn
how do i fold a paper crane
who hosted the eurovision song contest in 1974
what is the purpose of a keel on a sailing boat
how was silk transported from china to rome
what are the symptoms of altitude sickness
how many calories are in a boiled potato
which mountain pass did hannibal cross with his elephants
who designed the sydney opera house
what is the deepest lake in siberia
when is the best season to prune roses
how is parmesan cheese aged
what is the plot of the tempest by shakespeare
how high can a kangaroo jump
what do the rings on a tree stump show
which company built the first electric locomotive
how do you tie a bowline knot
who holds the record for the marathon
what is the national dish of hungary
why do flamingos stand on one leg
what is the meaning of the tarot card of the hermit
how are glass marbles made
which dances are danced at a viennese ball
how many time zones does australia have
what is the legal speed limit on german motorways
who was the muse of salvador dali
how long is a giraffe pregnant
what is the treatment for a wasp sting
when did humans first keep sheep
which wood is used for cricket bats
how do lighthouses keep their lamps turning
what is the smallest country in south america
who sang the theme of the film goldfinger
how can mould be removed from bathroom tiles`;

const byLanguage: Readonly<Record<string, string>> = {
  en: english,
  de: `wie lange muss ein hefeteig gehen
wer malte die decke der sixtinischen kapelle
wann sank die titanic
wie viele saiten hat ein cello
wo leben kaiserpinguine
warum ist das meer salzig
welcher fluss fließt durch budapest
wie entfernt man rotweinflecken aus dem teppich
wer entdeckte das penicillin
was ist die hauptstadt der mongolei
wie oft muss man tomaten im sommer gießen
welches gewürz wird aus krokusblüten gewonnen`,
  es: `cuánto tiempo debe reposar la masa de pizza
quién pintó el techo de la capilla sixtina
cuándo se hundió el titanic
cuántas cuerdas tiene un violonchelo
dónde viven los pingüinos emperador
por qué es salado el mar
qué río pasa por budapest
cómo se quitan las manchas de vino tinto de una alfombra
quién descubrió la penicilina
cuál es la capital de mongolia
cada cuánto se riegan los tomates en verano
qué especia se obtiene de la flor del azafrán`,
  fr: `combien de temps faut-il laisser reposer la pâte à pizza
qui a peint le plafond de la chapelle sixtine
quand le titanic a-t-il coulé
combien de cordes a un violoncelle
où vivent les manchots empereurs
pourquoi la mer est-elle salée
quel fleuve traverse budapest
comment enlever une tache de vin rouge sur un tapis
qui a découvert la pénicilline
quelle est la capitale de la mongolie
quand faut-il tailler les rosiers
quelle épice vient de la fleur de crocus`,
  it: `quanto deve riposare l'impasto della pizza
chi ha dipinto il soffitto della cappella sistina
quando affondò il titanic
quante corde ha un violoncello
dove vivono i pinguini imperatore
perché il mare è salato
quale fiume attraversa budapest
chi ha scoperto la penicillina`,
  ru: `сколько времени должно подниматься дрожжевое тесто
кто расписал потолок сикстинской капеллы
когда затонул титаник
сколько струн у виолончели
где живут императорские пингвины
почему море солёное
какая река протекает через будапешт
как вывести пятна красного вина с ковра
кто открыл пенициллин
как называется столица монголии
как часто поливать помидоры летом
какую пряность получают из крокусов`,
  ar: `كم من الوقت تحتاج عجينة البيتزا لترتاح
من رسم سقف كنيسة سيستين
متى غرقت سفينة تيتانيك
كم عدد أوتار آلة التشيلو
أين تعيش بطاريق الإمبراطور
لماذا البحر مالح
أي نهر يمر عبر بودابست
من اكتشف البنسلين`,
  hi: `पिज़्ज़ा के आटे को कितनी देर रखना चाहिए
सिस्टिन चैपल की छत किसने चित्रित की
टाइटैनिक कब डूबा
सेलो में कितने तार होते हैं
सम्राट पेंगुइन कहाँ रहते हैं
समुद्र खारा क्यों होता है
बुडापेस्ट से कौन सी नदी बहती है
पेनिसिलिन की खोज किसने की`,
  zh: `披萨面团需要发酵多长时间
西斯廷教堂的天顶画是谁画的
泰坦尼克号是什么时候沉没的
大提琴有几根弦
帝企鹅生活在哪里
海水为什么是咸的
哪条河流经布达佩斯
青霉素是谁发现的`,
  ja: `ピザの生地はどのくらい寝かせますか
システィーナ礼拝堂の天井画を描いたのは誰ですか
タイタニック号はいつ沈没しましたか
チェロには弦が何本ありますか
皇帝ペンギンはどこに住んでいますか
海の水はなぜ塩辛いのですか
ブダペストを流れる川は何ですか
ペニシリンを発見したのは誰ですか`,
};

const lines = (text: string): string[] => text.trim().split('\n');

/** One list for each of the languages; the English list where no language is known here. */
export function outOfDomainQuestions(languages: ReadonlySet<string>): string[][] {
  const out = Object.entries(byLanguage).flatMap(([language, text]) => (languages.has(language) ? [lines(text)] : []));
  return out.length > 0 ? out : [lines(byLanguage.en!)];
}
