/** Words of which one rules out the others: sides are parted by `/`. English, then German, French, Spanish and Italian. */
const lines =
  `minimum minimal minima least fewest smallest lowest shortest / maximum maximal maxima most largest highest biggest greatest longest
fewer less smaller lower lesser / more larger higher bigger greater
small / large big
few / many most all
low / high
short / long
slow slowly slower / fast faster rapid rapidly quick quickly
weak weaker weakest / strong stronger strongest
light lighter / heavy heavier
thin / thick
narrow / wide broad
early earlier earliest / late later latest
old older oldest / new newer newest
old former previous / current
young younger youngest / old older oldest
open opened opens opening / closed close closes closing
open / secret
inside inner internal / outside outer external
indoor indoors / outdoor outdoors
before / after
with / without
come comes came coming arrive arrives arrived return returns returned returning / leave leaves left leaving depart departs departed
above / below
over / under
upper / lower
upstream / downstream
top / bottom
front / back rear
left / right
horizontal / vertical
north northern / south southern / east eastern / west western
domestic / foreign
national / international
public / private
formal / informal
direct directly / indirect indirectly
active / passive inactive
positive / negative
even / odd
static / dynamic
single / double / triple / multiple
part partial / full whole
general / specific
simple simplest / complex
wet / dry
hot warm / cold cool
liquid / solid
male man men boy boys / female woman women girl girls
adult adults / child children
buyer buyers / seller sellers
purchaser / vendor
supplier suppliers contractor / customer customers
licensor / licensee
insurer / insured policyholder
landlord lessor / tenant tenants lessee
employer employers / employee employees
lender / borrower
creditor / debtor
sender / recipient receiver
client clients / server servers
teacher teachers / student students pupil pupils
import imports imported / export exports exported
supply / demand
income revenue / expenses expense expenditure
profit / loss
debit / credit
gross / net
deposit deposits / withdrawal withdrawals
input inputs / output outputs
upload uploads uploading / download downloads downloading
entry entrance / exit
arrival / departure
morning mornings / afternoon afternoons / evening evenings / night nights
spring / summer / autumn / winter
weekday weekdays / weekend weekends
ascending / descending
increase increases increased increasing / decrease decreases decreased decreasing reduce reduces reduced reducing
elevated / decreased decreasing reduced
add adds added adding install installs installed / remove removes removed removing delete deletes deleted deleting
enable enables enabled enabling / disable disables disabled disabling
install installs installed installing / uninstall uninstalls uninstalled uninstalling
start starts started starting begin begins / stop stops stopped stopping end ends ended
lock locks locked / unlock unlocks unlocked
connect connects connected / disconnect disconnects disconnected
allow allows allowed permit permits permitted / forbid forbids forbidden prohibit prohibits prohibited
accept accepts accepted accepting / reject rejects rejected rejecting refuse refuses refused decline declines declined
approve approves approved / reject rejects rejected
grant grants granted / deny denies denied
accepted acceptance / denied denial
support supports supported / oppose opposes opposed renounce renounced
attack attacks attacked / defend defends defended
won win wins / lost lose loses
victory victories / defeat defeats
buy buys bought / sell sells sold
lend lends lent / borrow borrows borrowed
push pushes pushed / pull pulls pulled
encrypt encrypts encrypted encryption / decrypt decrypts decrypted decryption
raise raises raised / lower lowers lowered
join joins joined / leave leaves left
majority / minority
success successes / failure failures
advantage advantages / disadvantage disadvantages
strength strengths / weakness weaknesses
rich / poor
urban / rural
primary / secondary / tertiary
junior / senior
major / minor
optional / mandatory
permanent / temporary
online / offline
manual manually / automatic automatically
wired / wireless
digital / analogue analog
symmetric / asymmetric
undergraduate / graduate postgraduate
breakfast / lunch / dinner
bronze / silver / gold
attractive / repulsive
typical / special
alpha / beta / gamma
red / green / blue / yellow / black / white / brown / orange / grey gray
first 1st / second 2nd / third 3rd / fourth 4th / fifth 5th / last final
erste erster ersten erstes / zweite zweiter zweiten zweites / dritte dritter dritten drittes / vierte vierter vierten viertes / letzte letzter letzten letztes
premier première / deuxième seconde second / troisième / dernier dernière
primer primera primero / segundo segunda / tercer tercera tercero / último última
primo prima / secondo seconda / terzo terza / ultimo ultima
two / three / four / five / six / seven / eight / nine / ten / eleven / twelve
mindestens mindestalter mindestbetrag / höchstens höchstalter höchstbetrag
kleinste kleinsten niedrigste niedrigsten / größte größten höchste höchsten
klein kleine kleinen kleiner / groß große großen großer
niedrig niedrige niedrigen / hoch hohe hohen
alte alten alter / neue neuen neuer
vor / nach
mit / ohne
eintritt beitritt / austritt
innen innere inneren / außen äußere äußeren
oben obere oberen / unten untere unteren
links linke linken / rechts rechte rechten
nord nördlich nördliche nördlichen / süd südlich südliche südlichen / ost östlich östliche östlichen / west westlich westliche westlichen
öffentlich öffentliche öffentlichen / privat private privaten
frühling / sommer / herbst / winter
vormittag vormittags / nachmittag nachmittags / abend abends
erwachsene erwachsenen / kinder kindern kind
männer männern / frauen
vermieter vermieters / mieter mieters
käufer käufers / verkäufer verkäufers
auftraggeber auftraggebers / auftragnehmer auftragnehmers
lieferant lieferanten / kunde kunden
arbeitgeber arbeitgebers / arbeitnehmer arbeitnehmers
eingang / ausgang
ankunft / abfahrt abreise
brutto / netto
einfuhr / ausfuhr
gewinn / verlust
vorteil vorteile / nachteil nachteile
erhöhen erhöht / senken gesenkt
öffnen geöffnet / schließen geschlossen
aktivieren aktiviert / deaktivieren deaktiviert
kaufen kauft / verkaufen verkauft
minimum minimale / maximum maximale
petit petite petits petites / grand grande grands grandes
avant / après
avec / sans
printemps / été / automne / hiver
matin / soir
adulte adultes / enfant enfants
hommes / femmes
locataire / bailleur propriétaire
acheteur / vendeur
fournisseur / client
employeur / salarié salariés employé employés
entrée / sortie
arrivée / départ
brut brute / net nette
privé privée / public publique
gauche / droite
ouvrir ouvert ouverte / fermer fermé fermée
augmenter augmente / diminuer diminue réduire
ancien ancienne / nouveau nouvelle
mínimo mínima / máximo máxima
menor menores / mayor mayores
pequeño pequeña / grande
antes / después
con / sin
norte / sur
primavera / verano / otoño / invierno
adulto adultos / niño niños
hombres / mujeres
arrendador / arrendatario inquilino
comprador / vendedor
entrada / salida
minimo minima / massimo massima
piccolo piccola / grande
prima / dopo
con / senza
primavera / estate / autunno / inverno
adulto adulti / bambino bambini
uomini / donne
locatore / conduttore inquilino
acquirente compratore / venditore
ingresso entrata / uscita`.split('\n');

interface Side {
  readonly line: number;
  readonly side: number;
}

const sides = new Map<string, Side[]>();
const words = lines.map((line) => line.split(' / ').map((side) => side.split(' ')));
for (const [line, ofLine] of words.entries()) {
  for (const [side, ofSide] of ofLine.entries()) {
    for (const word of ofSide) sides.set(word, [...(sides.get(word) ?? []), { line, side }]);
  }
}

/** Lower-case words that say about the same as one, itself among them, and those that it rules out. */
export interface Opposites {
  readonly same: ReadonlySet<string>;
  readonly opposite: ReadonlySet<string>;
}

/** Of `minimum`: `lowest` says the same, `maximum` the opposite; of `spring`, all other seasons. Undefined for most words. */
export function oppositesOf(word: string): Opposites | undefined {
  const own = sides.get(word);
  if (own === undefined) return undefined;
  return {
    same: new Set(own.flatMap(({ line, side }) => words[line]![side]!)),
    opposite: new Set(own.flatMap(({ line, side }) => words[line]!.flatMap((one, i) => (i === side ? [] : one)))),
  };
}

/** Votes for something, and against it, in English, German, French, Spanish and Italian. */
export const votesFor: RegExp =
  /\bvot(?:e[sd]?|ing) (?:\p{L}+ )?for\b|(?<!\p{L})stimm\p{L}+ [^.;?]{0,60}(?<!\p{L})(?:dafür|für)(?!\p{L})|(?<!\p{L})votée?s? pour(?!\p{L})|(?<!\p{L})vot\p{L}+ a fav(?:or|ore)(?!\p{L})/iu;
export const votesAgainst: RegExp =
  /\bvot(?:e[sd]?|ing) (?:\p{L}+ )?against\b|(?<!\p{L})stimm\p{L}+ [^.;?]{0,60}(?<!\p{L})(?:dagegen|gegen)(?!\p{L})|(?<!\p{L})votée?s? contre(?!\p{L})|(?<!\p{L})vot\p{L}+ (?:en contra|contro)(?!\p{L})/iu;
