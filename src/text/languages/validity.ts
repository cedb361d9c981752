/** Asks what holds now. */
export const asksNow: RegExp =
  /(?<![\p{L}\p{N}])(?:now|nowadays|currently|current|at present|presently|today|these days|jetzt|heute|derzeit\p{L}*|aktuell\p{L}*|zurzeit|gegenwärtig\p{L}*|maintenant|aujourd['’]hui|actuel(?:le)?s?|actuellement|ahora|hoy|actualmente|adesso|oggi|attual\p{L}*|agora|hoje|atual\p{L}*)(?![\p{L}\p{N}])/iu;

const held =
  '(?:was|were|had|used to|cost|war|waren|hatte|galt|betrug|kostete|était|étaient|avait|coûtait|era|eran|fue|tenía|costaba|erano|aveva|costava|eram|foi|tinha|custava)';
const until = String.raw`until|till|bis|jusqu['’]\p{L}+|hasta|fino|até`;
/** Says what held until some time: `was 40 crowns until 2021`. */
export const heldUntil: RegExp = new RegExp(
  String.raw`(?<!\p{L})${held}(?!\p{L})[^.;]{0,80}(?<!\p{L})(?:up to|${until})(?!\p{L})|(?<!\p{L})(?:${until})(?!\p{L})[^.;]{0,40}(?<!\p{L})${held}(?!\p{L})`,
  'iu',
);

/** Says who did something in the past, in English: `was kept by`; who was elected may still be in office. */
export const wasDoneBy: RegExp =
  /(?<!\p{L})(?:was|were) (?!elected|appointed|named|chosen|sworn|succeeded|replaced|followed)(?:\p{L}+ly )?\p{L}+(?:ed|en|n|t) by(?!\p{L})/iu;

/** Says what may become otherwise: `Future versions might turn it on.` In English, German, French and Spanish. */
export const saysMayBecome: RegExp =
  /(?<!\p{L})(?:future (?:releases?|versions?|editions?)|might (?:\p{L}+ )?change|(?:zu)?künftige[nr]? (?:versionen?|fassung(?:en)?)|futures? versions?|versions? futures?|futuras? versi(?:ón|ones)|versi(?:ón|ones) futuras?)(?!\p{L})/iu;
