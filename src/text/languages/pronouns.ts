/** A word at the beginning that stands for something said before. */
export const leadingPronoun: RegExp =
  /^["'“«(]*(?:it|its|this|these|that|those|they|he|she|his|her|their|such|er|sie|es|dies\w*|el|ella|este|esta|esto|il|elle|ce|cette|cela|он|она|оно|они|это|этот|эта|эти|він|вона|воно|вони|це|цей|ця|ці|hij|zij|deze|dit|tento|tato|toto|ez|ezek|tämä|nämä|hän|bu|bunlar|nó|đây|αυτ(?:ό[ςν]?|ή|ά|οί|ές)|هذا|هذه|هو|هي|यह|वह|ये|این|آن|זה|הוא|היא|det|den|detta|dette)(?![\p{L}])|^["'“«「『(（]*(?:[它他她這这該该此]|其(?![他它实實中余餘次])|これ|それ|あれ|この|その|ここ|そこ|彼|이것|그것|이는|이를|그는|그녀|이런|그런|สิ่งนี้|มัน(?!ฝรั่ง|สำ)|นี่|นั่น)/iu;

/** Pronouns for a person who was named before. */
export const leadingPerson: RegExp =
  /^["'“«(]*(?:he|she|they|er|sie|él|ella|ellos|ellas|il|elle|ils|elles|lui|lei|ele|ela|on|ona|он|она)(?!\p{L})/iu;

/** Pronouns of the speaker or writer. */
export const firstPerson: RegExp =
  /(?<!\p{L})(?:I|I['’]\p{L}+|my|me|we|our|ich|mein\p{L}*|mir|wir|je|j['’]\p{L}+|mon|ma|nous|yo|mi|nosotros|io|mio|mia|noi|eu|meu|я|мой|мы)(?!\p{L})/iu;

/** Stands before a noun that was said before, in English, German, French, Spanish, Italian and Portuguese. */
export const demonstrative: RegExp =
  /^(?:this|these|such|dies(?:e[mnrs]?)?|ce|cet|cette|ces|este|esta|estos|estas|ese|esa|esos|esas|questo|questa|questi|queste|quest|essa|esse|essas|esses|estes)$/u;

/** Stands for somebody who does something, in the same languages. */
export const personPronoun: RegExp = /^(?:he|she|er|sie|il|elle|él|ella|lui|lei|ele|ela)$/u;

/** Stands for what does something, or for several who do, in English, German, French, Spanish, Italian and Portuguese. */
export const subjectPronoun: RegExp =
  /^(?:it|they|this|these|es|ils|elles|ellos|ellas|esto|essi|esse|eles|elas|isso|isto)$/u;

/** Stands for what was named before, behind a preposition, in English, German, French and Spanish. */
export const objectPronoun: RegExp = /^(?:it|them|him|her|ihm|ihnen|ihr|eux|elles|ellos|ellas)$/u;
