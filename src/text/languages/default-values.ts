const byDefault = String.raw`\bby default\b|\bstandardmäßig|\bvoreingestellt|\bpar défaut\b|\b(?:por defecto|predeterminad[oa]s?|predefinit[oaie]|por (?:omissão|omisión|predefinição|padrão)|predefinid[oa]s?)|по умолчанию|デフォルト|既定|默认|預設|缺省`;

/** Asks what holds where nobody sets anything. */
export const asksDefault: RegExp = new RegExp(
  String.raw`${byDefault}|\bdefaults?\b|\bstandard(?:wert|einstellung)|\bvoreinstellung`,
  'iu',
);

/** `The default (value) (of this limit) is 3.0`, `It defaults to 8080`, `(default: 5)`, `Default 10.` */
export const statesDefault: RegExp =
  /(?<!\bnot (?:the )?|\bnon-)\bdefaults?(?:(?:\s+(?:values?|settings?))?(?:\s+(?:of|for)\s+(?:this|that|the)\s+\p{L}+)?\s+(?:(?:(?!(?:when|where|if|that|which|for|of|to|in|by|and|or|an?|the)\s)\p{L}+\s+){0,3}?(?:is|was)|(?:\p{L}+s\s+)?are)\b|\s*[:=]|\s+[\p{N}`"'“]|\s+(?:to|of)\s)|\bdefaulting to\b|\b(?:is|are|as) (?:the|its) defaults?\b|\bstandard(?:wert|einstellung)|\bvoreinstellung|\b(?:valeur|valore|valor|ambiente)\s\S*\s?(?:par défaut|por (?:defecto|omisi[óo]n|omissão|padrão)|predefinit[oa]|predeterminad[oa]|predefinid[oa])|значени\p{L}+ по умолчанию|(?:デフォルト|既定)(?:の?値)?は|(?:默认|預設|缺省)(?:值|[为為是])/iu;

/** `It is 2000 by default.` */
export const mentionsDefault: RegExp = new RegExp(byDefault, 'iu');

/** `The default value is 12.`, which is said of what the section is about. */
export const statesOwnDefault: RegExp =
  /^\W*(?:(?:the|its)\s+defaults?(?:\s+(?:values?|settings?))?\s+(?!of\b|for\b)|(?:it|this(?:\s\p{L}+)?)\s+defaults\b|defaults?(?:\s+to\b|\s*:)|(?:der )?standardwert (?:ist|war)|la valeur par défaut est|el valor (?:por defecto|predeterminado) es|il valore predefinito è|o valor predefinido é)/iu;

/** Words that ask for the value and do not say whose it is. */
export const defaultWord: RegExp =
  /^(?:defaults?|values?|settings?|standardwert|standardmäßig|voreinstellung|wert|défaut|valeur|defecto|valor(?:es)?|predeterminad[oa]s?|predefinit[oaie]|valore|omissão|omisión|predefinição|padrão|predefinid[oa]s?|modo|значение|умолчанию|デフ|フォ|ォル|ルト|既定|默认|預設|缺省)$/iu;

/** Words of a question that `Default: False` answers. */
export const asksWhether: RegExp =
  /^(?:enabled?|disabled?|active|allowed|set|off|on|aktiv(?:iert)?|deaktiviert|erlaubt|gesetzt|activée?|désactivée?|activad[oa]|habilitad[oa]|desactivad[oa]|attiv[oa]|abilitat[oa]|disabilitat[oa]|ativad[oa]|desativad[oa]|включен[ао]?|выключен[ао]?)$/iu;
