import { GuardedPattern } from '../guarded-pattern.ts';

/** What a question begins with that is not of it: greetings, and `please`. A mark or the question itself follows. */
const greetings = [
  "(?:hi|hello|hey|good (?:morning|afternoon|evening|day))(?: there| all| everyone| everybody| team)?|excuse me|sorry|thanks|thank you|please|kindly|ok|okay|well|quick question|(?:just )?(?:a|one|another) (?:quick |short )?question|(?:i have|i've got|i got) (?:a|one|another) (?:quick |short )?question|my question is|(?:according to|based on|in|from) (?:the|my|our|your|these|this) (?:documents?|docs|files?|texts?|notes|sources?|index|folder)",
  'hallo|guten (?:tag|morgen|abend)|grüß gott|moin|servus|entschuldigung|entschuldigen sie|bitte|(?:ich habe )?(?:mal )?(?:eine|ne) (?:kurze )?frage|meine frage ist|danke|(?:laut|gemäß|nach) (?:den |diesen |meinen )?(?:dokumenten|unterlagen|dateien)|in (?:den|diesen|meinen) (?:dokumenten|unterlagen|dateien)',
  "bonjour|bonsoir|salut|pardon|excusez-moi|s['’]il (?:vous|te) pla[îi]t|svp|stp|merci|j['’]ai une (?:petite )?question|(?:selon|d['’]après|dans) (?:les|mes|ces|nos) (?:documents|fichiers)|(?:petite|une) question",
  'hola|buen[oa]s (?:días|tardes|noches)|disculp[ae]|perdón|perdone|por favor|gracias|tengo una (?:pregunta|duda)|(?:según|en) (?:los|mis|estos) (?:documentos|archivos)|una (?:pregunta|duda)',
  'ciao|buongiorno|buonasera|salve|scus[ai]|per favore|per piacere|grazie|ho una domanda|una domanda|(?:secondo i|nei) (?:miei )?documenti',
  'olá|oi|bom dia|boa (?:tarde|noite)|desculpe|por gentileza|obrigad[oa]|tenho uma (?:pergunta|dúvida)|uma (?:pergunta|dúvida)',
  'hoi|goede(?:morgen|middag|navond)|sorry|alstublieft|alsjeblieft|ik heb een (?:korte )?vraag|een vraag',
  'здравствуйте|привет|добрый (?:день|вечер)|доброе утро|извините|пожалуйста|(?:у меня )?вопрос',
];

/** Asks to be told; what is to be told follows. */
const requests = [
  "(?:can|could|would|will) (?:you|u|someone|anyone|anybody|somebody)(?: please| kindly| maybe| possibly| perhaps)* (?:tell|show|inform|remind|explain to)(?: to)? (?:me|us)|(?:can|could|would|will) (?:you|u|someone|anyone|anybody|somebody)(?: please| kindly| maybe| possibly| perhaps)* (?:explain|say|let (?:me|us) know)(?= (?:what|which|who|whom|whose|when|where|why|how|if|whether) )|(?:i am|i['’]m|im|we are|we['’]re) looking for|(?:please )?(?:give|send|get|find) (?:me|us)|(?:please )?(?:tell|inform|remind) (?:me|us)(?! (?:more )?about )|(?:please )?let (?:me|us) know|(?:i|we)(?: would|['’]d|d) (?:(?:also|really|just) )?(?:like|love) to (?:know|ask(?: you)?|find out|learn|understand|hear)|(?:i|we) (?:(?:also|really|just) )?(?:want|need|wanted|wish) to (?:know|ask(?: you)?|find out|learn|understand)|(?:i|we)(?: am| was|['’]m| are| were|['’]re)(?: just)? (?:wondering|curious|asking(?: myself| ourselves)?|interested to know|trying to (?:find out|understand|figure out))|i wonder|(?:do|does|did|would) (?:you|u|anyone|anybody|someone|somebody)(?: happen to)? know|(?:do you have |have you |have you got )?any idea",
  '(?:kannst|kann|können|könntest|könnte|könnten|würdest|würde|würden) (?:du|sie|ihr|man|jemand)(?: mir| uns)?(?: bitte| vielleicht| kurz| mal| eben)* (?:sagen|erklären|verraten|mitteilen)|(?:sag|sagen sie|sagt|erklär|erkläre|erklären sie|verrat|verraten sie)(?: mir| uns)(?: bitte| mal| doch)*|(?:weißt du|wissen sie|wisst ihr|weiß (?:jemand|hier jemand|man))(?: zufällig| vielleicht)?|(?:ich|wir) (?:möchte|möchten|würde|würden|will|wollen|wollte|wollten|hätte|muss|müssen)(?: gerne?| mal| nur| auch)* (?:wissen|fragen|erfahren|verstehen|gewusst)|(?:mich|uns) (?:würde interessieren|interessiert)|es würde (?:mich|uns) interessieren|ich frage mich|wir fragen uns',
  "(?:pouvez|pourriez|peux|pourrais)-(?:vous|tu)(?: (?:me|nous|m['’]))? ?(?:dire|expliquer|indiquer|préciser)|(?:savez-vous|sais-tu|est-ce que (?:vous savez|tu sais|quelqu['’]un sait)|quelqu['’]un sait)|(?:je|nous) (?:voudrais|voudrions|souhaiterais|souhaite|souhaitons|veux|voulons|cherche à) savoir|j['’]aimerais savoir|je me demande|(?:dites|dis|indiquez|indique)-(?:moi|nous)",
  '(?:puede|puedes|podría|podrías|pueden|podrían|podéis) (?:decirme|decirnos|explicarme|explicarnos|indicarme|indicarnos)|(?:me|nos) (?:puede|puedes|podría|podrías|pueden|podrían) (?:decir|explicar|indicar)|(?:sabe|sabes|saben|sabéis)(?: usted| ustedes| alguien)?(?= (?:qué|quién|cuándo|dónde|cómo|por qué|cuánt|cuál|si) )|(?:quisiera|quiero|querría|necesito|me gustaría|queremos) (?:saber|preguntar)|(?:dime|dígame|díganos|dinos)|me pregunto',
  '(?:può|puoi|potrebbe|potresti|potete|potreste) (?:dirmi|dirci|spiegarmi|spiegarci|indicarmi|indicarci)|(?:mi|ci) (?:può|puoi|sa|sai|potrebbe|potresti|potete|sapete) (?:dire|spiegare|indicare)|(?:sai|sapete)(?= (?:che|chi|quando|dove|come|perché|quant|qual|se) )|(?:vorrei|vorremmo|volevo|voglio|mi piacerebbe) (?:sapere|chiedere)|(?:dimmi|mi dica|dicci)|mi chiedo',
  '(?:você pode|vocês podem|pode|podes|poderia|podia) (?:me |nos )?(?:dizer|explicar|informar|indicar)(?:-me|-nos)?|(?:você sabe|alguém sabe|sabe|sabes)(?= (?:que|quem|quando|onde|como|por que|porque|quant|qual|se) )|(?:gostaria|gostava|gostaríamos|queria|quero|preciso)(?: de)? (?:saber|perguntar)|(?:diga-me|me diga|me diz)',
  '(?:kunt u|kun je|kan je|zou u|zou je)(?: mij| me| ons)?(?: misschien| even)* (?:vertellen|zeggen|uitleggen)|weet (?:u|je|jij|iemand)|ik (?:wil|wilde|zou|wou)(?: graag)? weten|ik vraag me af',
  '(?:не )?(?:могли бы вы|можете|можешь|можете ли вы)(?: мне)? (?:сказать|подсказать|объяснить)|(?:подскажите|скажите|подскажи|скажи)(?: мне)?(?: пожалуйста)?|(?:вы )?не знаете(?: ли вы)?|знаете ли вы|(?:я )?(?:хочу|хотел бы|хотела бы|хотелось бы) (?:узнать|знать|спросить)',
];

/** `please`, `thanks in advance` at the end. */
const closings = [
  'please|pls|plz|thanks(?: a lot| in advance| so much)?|thank you(?: in advance| very much)?|thx|cheers|according to (?:the|my|our|your|these|this) (?:documents?|docs|files?|texts?|notes|sources?|index|folder)',
  '(?:danke|vielen dank|besten dank)(?: schon mal| im voraus)?|bitte',
  "merci(?: d['’]avance| beaucoup)?|s['’]il (?:vous|te) pla[îi]t|svp|stp",
  '(?:muchas )?gracias(?: de antemano)?|por favor',
  '(?:molte )?grazie(?: in anticipo| mille)?|per favore|per piacere',
  '(?:muito )?obrigad[oa]|por gentileza',
  'alstublieft|alsjeblieft|(?:alvast )?bedankt|dank u(?: wel)?|dank je(?: wel)?',
  '(?:заранее )?спасибо|пожалуйста',
];

// Of texts in lower case, and without classes of letters: a first run of those takes milliseconds.
const behind = '(?=[\\s,!.:;?？…–—-]|$)';

/** Begins no greeting. */
export const askingFirst: RegExp =
  /^(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|does|did|wer|wann|wo|warum|wie|welche[rsnm]?|quel|quand|qui|combien|comment|pourquoi|cuándo|quién|cómo|dónde|qual|quando|chi|dove) /u;
/** A greeting, with the mark behind it. */
export const greeting: RegExp = new RegExp(`^[\\s¡¿]*(?:${greetings.join('|')})\\s*[,!.:;…–—-]+\\s*`, 'u');
/** A greeting before the question, without a mark. */
export const greetingWord: RegExp = new RegExp(`^[\\s¡¿]*(?:${greetings.join('|')})\\s+`, 'u');
/** A request to be told. */
export const request: GuardedPattern = new GuardedPattern(
  `^[\\s¡¿]*(?:${requests.join('|')})${behind}[\\s,:;–—-]*(?:please|bitte)?[\\s,:;]*`,
  'u',
);
/** Thanks and the like at the end, with the marks before them. */
export const closing: GuardedPattern = new GuardedPattern(
  `(?<=[^\\s,;.!?？–—-])[\\s,;.!?？–—-]+(?:${closings.join('|')})[\\s.!?？]*$`,
  'u',
);

/** Begins a question that is told: `if I may`, `ob das geht`. */
export const whetherLead: RegExp = /^(?:if|whether|ob|si|se|of|ли)(?!\p{L})\s+/iu;
/** `I can …`, whose verb goes first in a question. */
export const subjectAndHelp: RegExp =
  /^(i|we|you|they|he|she|it|there|one|people)\s+(can|could|may|must|should|will|would|is|are|was|were|has|have|had|am)(?!['’\p{L}])/iu;
const how =
  '(?:how|wie)(?!\\s+(?:many|much|viele?))(?:\\s+(?:long|often|far|old|big|high|tall|large|heavy|deep|wide|fast|lange?|oft|weit|hoch|groß|alt|teuer|schwer|breit|tief|schnell))?';
const being = 'is|are|was|were|ist|sind|war|waren';
/** Behind `what` a noun may stand that is asked for: `what time it is`. */
const whose =
  '(?:what|which|was|how\\s+(?:many|much)|wie\\s+viele?)(?=\\s+(?:the|an?|my|our|your|his|her|its|their|this|that|these|those|it|he|she|they|der|die|das|mein|meine|unser|unsere|es|er|sie)(?!\\p{L}))';
/** `who the treasurer is`, `when the rent is due`: the verb goes behind the word that asks. */
export const verbBehind: RegExp = new RegExp(
  `^(${whose}|who|whom|when|where|why|${how}|wer|wen|wem|wann|wo|wohin|woher|warum|wieso)\\s+(?!(?:${being})\\s)(\\S+(?:\\s+\\S+){0,5}?)\\s+(${being})(?!['’\\p{L}])(.*)$`,
  'isu',
);
/** A verb of its own: `who wrote what is read`. */
export const hasVerb: RegExp =
  /(?<!\p{L})(?:do|does|did|has|have|had|can|could|may|must|should|will|would|who|what|that|which|hat|haben|kann|darf|muss|wird)(?!\p{L})/iu;
