/** Forms of verbs and nouns of German and Swedish whose vowel changes. See `word-forms.ts`. */
export interface FormLists {
  readonly always: string;
  /** Verbs that lean on a noun. */
  readonly light: string;
}

export const german: FormLists = {
  always: `beginnen beginnt begann begannen begonnen|beißen beißt biss bissen gebissen|besitzen besitzt besaß besaßen besessen
  |betreiben betreibt betrieb betrieben|beweisen beweist bewies bewiesen|biegen biegt bog bogen gebogen|binden bindet ~band ~banden gebunden
  |bitten bittet bat baten gebeten|blasen bläst blies bliesen geblasen|bleiben bleibt blieb blieben geblieben|brechen bricht brach brachen gebrochen
  |brennen brennt brannte brannten gebrannt|bringen bringt brachte brachten gebracht|denken denkt dachte dachten gedacht
  |dringen dringt drang drangen gedrungen|empfangen empfängt empfing empfingen|empfehlen empfiehlt empfahl empfahlen empfohlen
  |enthalten enthält enthielt enthielten|entscheiden entscheidet entschied entschieden|entsprechen entspricht entsprach entsprachen entsprochen
  |entstehen entsteht entstand entstanden|erfahren erfährt erfuhr erfuhren|erfinden erfindet erfand erfanden erfunden|erhalten erhält erhielt erhielten
  |erscheinen erscheint erschien erschienen|erwerben erwirbt erwarb erwarben erworben|essen isst aß aßen gegessen|fahren fährt fuhr fuhren gefahren
  |fallen fällt fiel fielen|fangen fängt fing fingen gefangen|finden findet fand fanden gefunden|fliegen fliegt flog flogen geflogen
  |fliehen flieht floh flohen geflohen|fließen fließt floss flossen geflossen|fressen frisst fraß fraßen gefressen|frieren friert fror froren gefroren
  |gefrieren gefriert gefror gefroren|gelten gilt galt galten gegolten|genießen genießt genoss genossen|gewinnen gewinnt gewann gewannen gewonnen
  |gießen gießt goss gossen gegossen|graben gräbt grub gruben gegraben|greifen greift ~griff griffen gegriffen|hängen hängt hing hingen gehangen
  |heben hebt hob hoben gehoben|heißen heißt hieß hießen geheißen|helfen hilft half halfen geholfen|kennen kennt kannte kannten gekannt
  |klingen klingt klang klangen geklungen|kriechen kriecht kroch krochen gekrochen|laufen läuft lief liefen gelaufen|leiden leidet litt litten gelitten
  |leihen leiht lieh liehen geliehen|lesen liest las lasen gelesen|liegen liegt lag lagen gelegen|lügen lügt ~log logen gelogen
  |meiden meidet mied mieden gemieden|messen misst ~maß ~maßen gemessen|nennen nennt nannte nannten genannt|pfeifen pfeift pfiff pfiffen gepfiffen
  |raten rät riet rieten|reiben reibt rieb rieben gerieben|reißen reißt riss rissen gerissen|reiten reitet ritt ritten geritten
  |rennen rennt rannte rannten gerannt|riechen riecht roch rochen gerochen|rufen ruft rief riefen gerufen|saufen säuft soff soffen gesoffen
  |schaffen schafft schuf schufen geschaffen|scheiden scheidet schied schieden geschieden|schieben schiebt schob schoben geschoben
  |schießen schießt schoss schossen geschossen|schlafen schläft schlief schliefen geschlafen|schlagen schlägt schlug schlugen geschlagen
  |schließen schließt ~schloss schlossen geschlossen|schmelzen schmilzt schmolz schmolzen geschmolzen
  |schneiden schneidet ~schnitt ~schnitten geschnitten|schreiben schreibt schrieb schrieben geschrieben|schreien schreit schrie schrien geschrien
  |schweigen schweigt schwieg schwiegen geschwiegen|schwimmen schwimmt schwamm schwammen geschwommen|schwören schwört schwor schworen geschworen
  |sehen sieht sah sahen gesehen|singen singt sang sangen gesungen|sinken sinkt sank sanken gesunken|sitzen sitzt saß saßen gesessen
  |sprechen spricht sprach sprachen gesprochen|springen springt sprang sprangen gesprungen|stechen sticht stach stachen gestochen
  |stehlen stiehlt stahl stahlen gestohlen|steigen steigt stieg stiegen gestiegen|sterben stirbt starb starben gestorben
  |stoßen stößt stieß stießen gestoßen|streichen streicht ~strich ~strichen gestrichen|streiten streitet stritt stritten gestritten
  |tragen trägt trug trugen getragen|treffen trifft traf trafen getroffen|treiben treibt trieb trieben getrieben|treten tritt trat traten getreten
  |trinken trinkt trank tranken getrunken|verbieten verbietet verbot verboten|verbinden verbindet ~verband ~verbanden verbunden
  |verderben verdirbt verdarb verdarben verdorben|vergessen vergisst vergaß vergaßen|vergleichen vergleicht verglich verglichen
  |verlassen verlässt verließ verließen|verlieren verliert verlor verloren|vermeiden vermeidet vermied vermieden
  |verschwinden verschwindet verschwand verschwanden verschwunden|versprechen verspricht versprach versprachen versprochen
  |verstehen versteht ~verstand verstanden|verzeihen verzeiht verzieh verziehen|wachsen wächst wuchs wuchsen gewachsen
  |waschen wäscht wusch wuschen gewaschen|wenden wendet wandte wandten gewandt|werben wirbt warb warben geworben|werfen wirft warf warfen geworfen
  |wiegen wiegt wog wogen gewogen|wissen ~weiß wusste wussten gewusst|ziehen zieht zog zogen gezogen|zwingen zwingt zwang zwangen gezwungen
  |übernehmen übernimmt übernahm übernahmen übernommen|überweisen überweist überwies überwiesen|unterschreiben unterschreibt unterschrieb unterschrieben
  |abstand abstände|antrag anträge|anwalt anwälte|apfel äpfel|arzt ärzte|ast äste|auftrag aufträge|ausdruck ausdrücke|bad bäder|bahnhof bahnhöfe
  |ball bälle|baum bäume|beitrag beiträge|betrag beträge|bild bilder|blatt blätter|block blöcke|boden böden|bruder brüder|buch bücher|dach dächer
  |dorf dörfer|ei eier|einwand einwände|fall fälle|fass fässer|feld felder|fluss flüsse|fuß füße|garten gärten|gast gäste|glas gläser|grab gräber
  |grund gründe|grundsatz grundsätze|hafen häfen|hand hände|haus häuser|hof höfe|holz hölzer|hut hüte|kampf kämpfe|kanal kanäle|kind kinder
  |kleid kleider|kopf köpfe|korb körbe|kraft kräfte|kuh kühe|land länder|lied lieder|loch löcher|mangel mängel|mann männer|markt märkte|maus mäuse
  |mutter mütter|nacht nächte|nagel nägel|ofen öfen|pass pässe|plan pläne|platz plätze|rad räder|rand ränder|rat räte|raum räume|rock röcke|saal säle
  |sack säcke|satz sätze|schaden schäden|schild schilder|schlag schläge|schloss schlösser|schrank schränke|schwanz schwänze|sohn söhne|spruch sprüche
  |stab stäbe|stadt städte|stall ställe|stamm stämme|stand stände|strand strände|stuhl stühle|tal täler|tochter töchter|ton töne|topf töpfe|turm türme
  |umstand umstände|unfall unfälle|vater väter|verband verbände|vertrag verträge|vogel vögel|volk völker|vorrat vorräte|vorschlag vorschläge
  |vorstand vorstände|vorgang vorgänge|wald wälder|wand wände|wolf wölfe|wort wörter worte|wunsch wünsche|zahn zähne|zug züge|zusatz zusätze
  |zustand zustände|zuschlag zuschläge|zugang zugänge`,
  light: `bekommen bekommt bekam bekamen|bestehen besteht ~bestand bestanden|bieten bietet ~bot boten geboten|geben gibt gab gaben gegeben
  |gehen geht ging gingen gegangen|halten hält hielt hielten gehalten|kommen kommt kam kamen gekommen
  |machen macht machte machten gemacht|nehmen nimmt nahm nahmen genommen|stehen steht ~stand standen gestanden`,
};

export const swedish: FormLists = {
  always: `begripa begriper begrep begripit|binda binder band bundit|bita biter bet bitit|bjuda bjuder bjöd bjudit|brinna brinner brann brunnit
  |brista brister brast brustit|bryta bryter bröt brutit brutet bruten|bära bär ~bar burit|dra drar drog dragit|dricka dricker drack druckit
  |driva driver drev drivit drevs drivs|dö dör dog dött|falla faller föll fallit|finna finner fann funnit|flyga flyger flög flugit
  |flyta flyter flöt flutit|förstå förstår förstod förstått|försvinna försvinner försvann försvunnit|gripa griper grep gripit|gråta gråter grät gråtit
  |hugga hugger högg huggit|hålla håller höll hållit hölls|innehålla innehåller innehöll innehållit|ligga ligger låg legat|ljuga ljuger ljög ljugit
  |lägga lägger lade lagt|rida rider red ridit|rinna rinner rann runnit|riva river rev rivit revs|se ser såg sett|sitta sitter satt suttit
  |sjunga sjunger sjöng sjungit|sjunka sjunker sjönk sjunkit|skina skiner sken skinit|skjuta skjuter sköt skjutit sköts
  |skriva skriver skrev skrivit skrevs skrivs skriven skrivet|skära skär skar skurit|slita sliter slet slitit|slå slår slog slagit slogs
  |smälta smälter smalt|sova sover sov sovit|spinna spinner spann spunnit|springa springer sprang sprungit|sprida sprider spred spridit spreds sprids
  |sticka sticker stack stuckit|stiga stiger steg stigit|stjäla stjäl stal stulit|strida strider stred stridit|stå står stod stått
  |säga säger sade sagt sa|sälja säljer sålde sålt såldes säljs|sätta sätter satte satt sattes|tiga tiger teg tigit|uppstå uppstår uppstod uppstått
  |vinna vinner vann vunnit vanns|välja väljer valde valt valdes väljs|veta vet visste vetat|växa växer växte växt|äta äter åt ätit
  |~man män männen mannen|bok boken böcker böckerna|stad staden städer städerna|land landet länder länderna|hand handen händer händerna
  |natt natten nätter|tand tanden tänder tänderna|fot foten fötter fötterna|son sonen söner|broder bror bröder|moder mor mödrar|fader far fäder
  |dotter dottern döttrar|bonde bönder bönderna|rot roten rötter rötterna|strand stranden stränder stränderna|kraft kraften krafter krafterna
  |bokstav bokstäver|ledamot ledamöter|gås gäss|mus möss|lus löss|öga ögat ögon ögonen|öra örat öron öronen`,
  light: `ge ger gav gett givit|gå går gick gått|göra gör gjorde gjort|komma kommer kom kommit
  |ta tar tog tagit`,
};
