/** Word lists that decide whether a full stop ends a sentence. Abbreviations: lower case, without the last stop. */

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter(Boolean));

/** Never end a sentence: titles, "for example", "compare". */
export const neverLast: ReadonlySet<string> = words(`
  mr mrs ms messrs dr prof mme mlle gen col lt sgt capt cpt maj cmdr rev rt hon gov sen rep pres supt adm mt vs viz
  e.g i.e eg ie n.b v cf resp approx ca al.e incl excl civ crim bankr supp
  z.b d.h u.a i.d.r s.o s.u z.t u.u vgl bzw bspw ggf evtl sog hr fr hrn dipl ing str inkl exkl mio mrd fa
  p.ex p.e.x apr env c.-à-d mm
  sra srta ud uds p.ej lic d dña ee
  sig.ra dott dott.ssa avv p.es
  exa v.ex exmo
  bijv bv d.w.z o.a dhr mevr mw m.b.t t.o.v drs
  f.eks t.ex bl.a jf dvs jfr jmf evt
  np ul św tj tzn tzw m.in zob por wg inż mgr tzv např popř mudr judr rndr phdr nám
  pl vö esim ks vrt dra örn bkz krş doç yrd tp gs pgs ths ts ubnd π.χ δηλ βλ πρβλ κ κα κος
  т.е т.н т.к напр зв див вул ул просп акад проф ср гл обл д-р св тов
  डॉ श्री प्रो कि.मी
`);

/** Small, these are words of some language: "It takes 5 ms.", "Det var hon.", "We sat." */
export const wordsWhenSmall: ReadonlySet<string> = words(`
  ms hr hon gov sen rep pres gen col ud uds mm mio fa fed app stat sat sun wed mon tp gs ts
`);

/** Elsewhere these are words, as in "So ist es." and "The room was lit.": "per es. Roma", "Dr. med. Weber". */
export const onlyBehind: ReadonlyMap<string, RegExp> = new Map([
  ['es', /(?<!\p{L})(?:per|ad|p\.) $/iu],
  ['lit', /[(;:,] ?$/],
  ['med', /(?<!\p{L})(?:dr|cand|stud)\. $/iu],
  ['ex', /(?<!\p{L})p\. ?$/iu],
  ['ej', /(?<!\p{L})p\. ?$/iu],
  ['е', /(?<!\p{L})т\. ?$/u],
  ['к', /(?<!\p{L})т\. ?$/u],
  ['н', /(?<!\p{L})т\. ?$/u],
  ['phil', /(?<!\p{L})(?:dr|cand|stud)\. $/iu],
]);

/** May end a sentence: the next word decides. */
export const maybeLast: ReadonlySet<string> = words(`
  st ft fed etc inc ltd co corp jr sr bros dept univ assn est ave blvd rd jan feb mar apr jun jul aug sep sept oct nov dec
  mon tue tues wed thu thur thurs fri sat sun al a.m p.m b.c a.d ph.d m.d b.a m.a u.s u.k u.n e.u d.c
  usw gmbh ag jh jhd jahrh chr n.chr v.chr
  enz n.chr v.chr
  ecc s.p.a sig
  av
  cía s.a ee.uu dc
  itp itd atd apod stb jne yms tms osv mv vb cad mah v.v κλπ κ.λπ κ.λ.π κ.ά
  им см г гг в вв др пр т.д т.п руб коп тыс млн млрд н.э ін рр ім
`);

/** Abbreviations only before a number or a section sign: "No. 5", "Fig. 2", "p. 17", "ext. 207", "gem. § 3". */
export const beforeNumber: ReadonlySet<string> = words(`
  no nos fig figs eq eqs eqn ref refs thm lem app stat vol vols p pp ch chap sec sect art arts nr n par para pt ver op tab ex bd abs abb kap s aufl z
  tel tél fax mob ext extn int durchw rm apt ste bldg tlf max min mind kl stk gem id janv juil déc
  ps núm pág págs pag pagg cap art arts fasc t т с стр рис табл п гл ст д кв корп № circa c ca
  godz pok lok ust pkt poz apto apdo hod blz sok тел каб пом буд
  č čl obr odst ok kb σελ κεφ άρθρ εικ τηλ
`);

/** Capitalised words that open a sentence much more often than they follow an abbreviation inside one. */
export const starters: ReadonlySet<string> = words(`
  The A An In It He She They We You I This That These Those There Here However But And Or If When While As At On For From To
  By With His Her Its Their Our My Your After Before During Although Though Since Because Then Thus So What Who Where Why How Which
  Some Many Most All Each One Both Other Another Not Now Once Only Such Today Until Upon Also According Despite Let
  Der Die Ein Eine Es Er Sie Wir Im Am Und Aber Wenn Nach Seit Bei Auf Mit Für Dies Diese Dieser Dabei Dann So Auch Heute
  Les Un Une Il Elle Ils Elles En Dans Ce Cette Ces Mais Pour Selon Avec Depuis Après Lors
  Una En Se Su Sus Pero Por Para Con Desde Este Esta Según Cuando
  Gli Nel Nella Dal Con Per Questo Questa Secondo Dopo
  Os Um Uma Em No Na Nos Nas Mas Para Por Com Este Esta Segundo
  Het Een Hij Zij Deze Dit Maar Op Na Sinds
  Det Den Han Hon Hun Vi Jag Jeg Men Och Og Så När Når Där Efter Etter Nu Nå Om Sedan För Til Till Hvis
  В Во На И Но Он Она Они Это Этот Эта С По К Для При После Также Однако Потом Если Когда Затем Далее
  Це Цей Ця З Із Він Вона Вони Але Якщо Коли Після Також Тут Потім Далі
  Po Na Ale Jeśli Gdy Następnie Potem Są Je Když Pokud Potom Az Ez Egy És Ha Se On Jos Kun
  Bu Bir Ancak Ama Eğer Ayrıca Sonra Các Những Khi Nếu Để Trong Đây Một Sau Nó
  Η Ο Το Οι Τα Αυτό Αυτή Αν Εάν Όταν Για Με Από Στο Στη Στην Μια Ένα
`);

/** Parts of names: after an initial they open no sentence ("J. van Dyke", "M. De La Cruz"). */
export const nameParticles: ReadonlySet<string> = words(
  `De Del Della Di Da Dos Das Van Von Der Den La Le El Al Bin Ibn Mac Mc St A An I No Na Os Su Ce Il En S С К И А В
  Han Hon Vi Men Om Nu Po Je Ha Bu`,
);

/** Months and other words after an ordinal with a stop (German, Danish, Czech …): "am 3. Oktober". */
export const afterOrdinal: ReadonlySet<string> = words(`
  Januar Jänner Februar März April Mai Juni Juli August September Oktober November Dezember
  Jahrhundert Jahrhunderts Jh Jahrtausend Auflage Klasse Platz Kapitel Bundesliga Weltkrieg Weltkriegs Mal Stock Stockwerk Obergeschoss Untergeschoss Etage OG UG
  januar februar marts maj juni juli oktober desember
`);

/** German articles before an ordinal with a stop: "den 50. Geburtstag". */
export const beforeOrdinal: RegExp = /(?<!\p{L})(?:der|dem|den|des|die|das|im|vom|zum|zur|beim) $/iu;
