/** Which part of a report of a fault a question asks for: why it happens, or what is to be done. */
export type TroublePart = 'cause' | 'fix';

const asksFix =
  /^\P{L}*(?:how (?:do|can|could|should|would|to)(?: (?:i|we|you|one))? (?:fix|solve|resolve|repair|cure|clear|get rid of|deal with|troubleshoot|correct)\b|what (?:should|can|must|do|to) (?:(?:i|we|you) )?do (?:about|against|when|if|in case)\b|what(?:['’]s| is) the (?:fix|solution|remedy|workaround) (?:for|to)\b|was (?:tun|hilft|kann man tun|muss ich tun) (?:bei|gegen|wenn)(?!\p{L})|wie (?:behebe|behebt|löse|löst|beseitige|repariere) |comment (?:résoudre|corriger|réparer|régler) |que faire (?:en cas|si|contre)|cómo (?:soluciono|solucionar|arreglo|arreglar|resuelvo|resolver|corregir) |qué hacer (?:si|en caso|cuando)|come (?:risolvo|risolvere|correggere|riparare) |как (?:исправить|устранить|решить|починить) )/iu;
const asksCause =
  /^\P{L}*(?:what (?:is|was)(?: the)? (?:cause|reason) (?:of|for)\b|what (?:causes|caused)\b|was (?:ist|war) (?:die ursache|der grund)(?!\p{L})|quelle est la cause|cuál es la causa|qual è la causa|какова причина)/iu;

/** Which part a question asks for by its words; a question for a reason asks for the cause whatever its words are. */
export function troublePartAsked(question: string): TroublePart | undefined {
  if (asksFix.test(question)) return 'fix';
  return asksCause.test(question) ? 'cause' : undefined;
}

const parts: Record<TroublePart, RegExp> = {
  cause:
    /^(?:\d[\d.]*\s+)?(?:(?:possible|probable|likely|root|mögliche|causes? possibles?|posibles?) )?(?:causes?|reasons?|ursachen?|gründe?|raisons?|causas?|motivos?|causa|причин[аы])(?: (?:possibles?|probables?|posibles?))?:?$/iu,
  fix: /^(?:\d[\d.]*\s+)?(?:(?:possible|quick) )?(?:fix(?:es)?|solutions?|resolutions?|remed(?:y|ies)|workarounds?|repair|what to do|how to fix(?: it)?|actions? to take|abhilfe|lösung(?:en)?|behebung|maßnahmen?|remèdes?|correction|dépannage|solución|soluciones|soluzion[ei]|rimedio|решени[ея]|устранение):?$/iu,
};

/** Whether a heading or a label says that a part of such a report stands behind it. */
export function namesTroublePart(label: string, part: TroublePart): boolean {
  return parts[part].test(label.trim());
}

/** `The cause was …` */
export const tellsCause: RegExp =
  /^\P{L}*(?:the |this |its )?(?:(?:root |real |usual )?(?:cause|reason)(?: (?:for|of) (?:this|it|that))? (?:is|was|were)|(?:die )?ursache (?:ist|war|dafür)|der grund (?:ist|war|dafür)|(?:la )?(?:cause|raison) (?:est|était|en est)|la causa (?:es|era|fue|è)|причина (?:в|была|—))(?!\p{L})/iu;

/** A heading or label over what goes wrong. */
export const tellsSymptom: RegExp =
  /^[\s#*_\d.]*(?:symptoms?|problems?|issues?|errors?|error message|symptome?|fehler(?:bild|meldung)?|störung|symptômes?|problèmes?|síntomas?|sintomi|problema|симптомы?|проблема)[\s*_:]*$/imu;

/** Says that something is wrong or is to be put right, and not what: a report need not repeat it. */
export const troubleWord: RegExp =
  /^(?:errors?|faults?|problems?|issues?|fehler|störung|problem|erreurs?|problèmes?|fallos?|fix|solve|resolve|cause[sd]?|ursache|beheben|tun|hilft|do|ошибк\p{L}+)$/iu;
