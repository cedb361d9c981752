/**
 * Spellings of British English, and of each the American one. Rules are narrow where two words would become one
 * (`four`; French `notre`), and leave words of a family whose others keep their letters (`revise`, `revision`).
 */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/(?<=[aeiouy][^aeiouy]+i?)our/, 'or'],
  [/(cen|thea|me|li|mi|lus|spec|scep|goi)tr(?:e(?=s?$)|(?=ed$|ing$))/, '$1ter'],
  [/(fi|cali|sa|som)bre(?!d)/, '$1ber'],
  [/^(licen|defen|offen|preten)c(?=e|ing)/, '$1s'],
  [/logue(?=s?$)|logu(?=ed$|ing$|ers?$)/, 'log'],
  [/^practis(?=e[ds]?$|ing$)/, 'practic'],
  [
    /(?<=[aeiouy].*(?:[^aeiouycv]|ic|iv|[^aeiou]y))(?<!pr|advert|expert|franch|parad|unw)is(?=e[ds]?$|ing(?:ly)?$|ers?$|ation(?:s|al|ally)?$|ements?$|abl[ey]$)/,
    'iz',
  ],
  [/lys(?=e[ds]?$|ing$|ers?$|able$)/, 'lyz'],
  [/(?<!d)aem(?=[aio])/, 'em'],
  [/(?<=p)ae(?=d)|(?<=gyn|^f)ae(?=c)|(?<=arch|pal)ae(?=o)|(?<=medi)ae(?=v)|^ae(?=tiol)|ae(?=sth)/, 'e'],
  [/(?<=^c)ae(?=s[ai]|cum)/, 'e'],
  [/oe(?=soph|strog|strus|dem)|(?<=^f)oe(?=t)|(?<=rrh|pn)oe(?=a)|(?<=^am)oe(?=b)|(?<=hom)oe(?=o)|(?<=^c)oe(?=l)/, 'e'],
  [/manoeuvr(?:e(?=s?$))?/, 'maneuver'],
  [/sulph/, 'sulf'],
  [/dgement/, 'dgment'],
  [/^(fulfi|enro|insta|disti|insti)l(?=s?$|ments?$)/, '$1ll'],
  [/^(ski|wi)l(?=ful)/, '$1ll'],
  [/^(fue|dia|tria)ll(?=ed$|ing$|ers?$)/, '$1l'],
  [/programme(?=s?$)/, 'program'],
  [/^grey/, 'gray'],
  [/plough/, 'plow'],
  [/aluminium/, 'aluminum'],
  [/^ageing$/, 'aging'],
  [/^artefact/, 'artifact'],
  [/^sceptic/, 'skeptic'],
  [/^(m|sm)oul(?=d|t)/, '$1ol'],
  [/draught/, 'draft'],
  [/^tyre(?=s?$)/, 'tire'],
  [/^pyjama/, 'pajama'],
  [/woollen/, 'woolen'],
  [/^jewellery$/, 'jewelry'],
  [/^aeroplane/, 'airplane'],
  [/cypher/, 'cipher'],
  [/^enquir/, 'inquir'],
  [/^despatch/, 'dispatch'],
  [/^adaptor/, 'adapter'],
];

/** A short test for all rules: most words need none of them. */
const perhaps =
  /our|[tb]re|tr(?:ed|ing)|[nt](?:c|is)(?:e|ing)|logu|is(?:e|ing|a)|lys|a(?:em|ed|ec|eo|ev|eti|es|ero)|oe|sulph|gement|il(?:$|s|m|ful)|rol|tal|[ea]ll(?:ed|ing|er)|gramme|grey|plough|alumin|ageing|tefact|sceptic|oul[dt]|draught|tyre|pyjama|woollen|jewellery|cypher|enquir|despatch|adaptor/;

/**
 * One spelling for British and American English: `colour` is `color`, `organised` is `organized`. Words of other
 * languages may change too, everywhere in the same way.
 * @param word of the letters a to z
 */
export function oneSpelling(word: string): string {
  if (!perhaps.test(word)) return word;
  let out = word;
  for (const [british, american] of spellings) out = out.replace(british, american);
  return out;
}
