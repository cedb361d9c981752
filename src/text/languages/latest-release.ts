import { asksForChange } from './changes.ts';

const late =
  'latest|newest|current|most recent|last|neueste[nrsm]?|aktuelle[nrsm]?|aktuellste[nrsm]?|letzte[nrsm]?|jüngste[nrsm]?|dernière|derniere|última';
const early = 'first|earliest|oldest|initial|erste[nrsm]?|älteste[nrsm]?|première|primera';
const kind = 'stable |public |official |published |released |stabile |stabilen |offizielle ';
const noun = 'versions?|releases?|veröffentlichung|ausgabe|versión';

/** `the latest version`, `la version la plus récente`; which end is in the name of its group. */
const named: RegExp = new RegExp(
  `(?<![\\p{L}\\p{N}-])(?:(?:(?<late>${late})|(?<early>${early}))(?: of the)? (?:${kind})?(?:${noun})|version (?:la plus récente|actuelle)|versión (?:más reciente|actual)|(?<oldest>version la plus ancienne|versión más antigua))(?![\\p{L}\\p{N}])`,
  'iu',
);
/** `Which version is the newest?`, `Which release came out first?` */
const said: RegExp = new RegExp(
  `^\\P{L}*(?:which|what|welche|quelle|qué) (?:${kind})?(?:${noun})[^?]*? (?:(?<late>${late}|zuletzt)|(?<early>${early}|zuerst|primero))\\P{L}*$`,
  'iu',
);

/** Before such a name: it is asked which one it is, or when it was. */
const asksIt: RegExp =
  /^\P{L}*(?:(?:what|which)(?:['’]s| is| was| are| were)|when (?:was|is|did|were)|welche[rs]? (?:ist|war)|was (?:ist|war)|wann (?:war|erschien|kam|wurde)|quelle (?:est|était)|quand (?:est sortie|est|a été publiée|était)|cuál (?:es|fue)|qué (?:es|fue)|cuándo (?:fue|salió|se publicó)) (?:(?:the |die |der |das |la |l['’]|el |our |its |your )?(?:(?:number|date) of )?(?:the |die |der |das |la |l['’]|el |our |its |your )?)?$/iu;
/** Or what changed in it. */
const asksChanges: RegExp = /^\P{L}*(?:what|which|was|welche|qu|quoi|quelles?|qué)/iu;

/** The release that a question asks for by its place in a history, and the words that do. */
export interface EndAsked {
  readonly end: 'latest' | 'first';
  /** It asks what changed, not which one it is or when it was. */
  readonly asksChanges: boolean;
  readonly start: number;
  readonly stop: number;
}

/**
 * Whether a question asks which release is the latest or the first, when it was or what changed in it; undefined for other
 * questions, as where it is kept.
 */
export function releaseEndAsked(question: string): EndAsked | undefined {
  const whole = said.exec(question);
  const found = whole ?? named.exec(question);
  if (found === null) return undefined;
  const before = question.slice(0, found.index);
  const isOfChanges = !whole && asksChanges.test(before) && asksForChange.test(before);
  if (!whole && !isOfChanges && !asksIt.test(before)) return undefined;
  const isFirst = found.groups?.early ?? found.groups?.oldest;
  return {
    end: isFirst ? 'first' : 'latest',
    asksChanges: isOfChanges,
    start: found.index,
    stop: found.index + found[0].length,
  };
}

/** Words beside those for the release, which no title has to say. */
export const aboutRelease: RegExp =
  /^(?:new|news|changes?|changed|added|fixed|removed|came|come|out|released?|published|available|number|date|day|highlights|features?|neu|neues|geändert|erschien(?:en)?|veröffentlicht|herausgekommen|datum|nummer|nouveau|nouveautés?|changé|sortie?|publiée?|nuevo|novedades|cambi[óa]|publicada?|salió|salida)$/u;

/** Begins a line that says when a release was, and nothing of what it brings. */
export const saysReleased: RegExp =
  /^\P{L}*(?:(?:it |this version )?(?:was )?(?:published|released)|(?:release )?date|erschienen|veröffentlicht|publiée?|parue?|publicad[oa]|lanzad[oa])(?: (?:on|am|le|el))?(?!\p{L})/iu;
