/** Messages of programs and their translations. */
import { describe, expect, it } from 'vitest';
import { outline, parse } from './helpers.ts';

const po = `# German translation
msgid ""
msgstr ""
"Language: de\\n"
"Last-Translator: Ida Kranz\\n"

#. Shown when the crane stops
#: src/crane.c:12
#, c-format
msgctxt "status"
msgid "The crane has \\"stopped\\" after %d turns.\\n"
msgstr "Der Kran hat nach %d Umdrehungen angehalten.\\n"
#, fuzzy
#| msgid "Lift the load"
msgid "Lift a load"
msgid_plural "Lift %d loads"
msgstr[0] "Last heben"
msgstr[1] ""
"%d Lasten "
"heben"

msgid "Not yet"
msgstr ""

#~ msgid "Old"
#~ msgstr "Alt"
`;

describe('translations', () => {
  it('PO: a record for each message, with its line', async () => {
    const document = await parse('de.po', po);
    expect(outline(document)).toEqual([
      ['paragraph', 'German translation'],
      ['record', 'Language: de\nLast-Translator: Ida Kranz'],
      [
        'record',
        [
          'Text: The crane has "stopped" after %d turns.',
          'Translation (de): Der Kran hat nach %d Umdrehungen angehalten.',
          'Context: status',
          'Note: Shown when the crane stops',
          'Used in: src/crane.c:12',
          'Flags: c-format',
        ].join('\n'),
      ],
      [
        'record',
        [
          'Text: Lift a load',
          'Plural: Lift %d loads',
          'Translation (de), form 1: Last heben',
          'Translation (de), form 2: %d Lasten heben',
          'Flags: fuzzy',
        ].join('\n'),
      ],
      ['record', 'Text: Not yet'],
    ]);
    expect(document.locators.map(({ lines }) => lines).slice(1, 3)).toEqual([
      [7, 12],
      [13, 20],
    ]);
    expect(document.warnings).toMatchObject([{ code: 'MESSAGES_UNUSED', leftOut: 1 }]);
  });

  it('a template of messages is no template of PowerPoint', async () => {
    expect((await parse('de.pot', po)).text).toBe((await parse('de.po', po)).text);
  });

  it.each([
    ['a.po', 'Just some words, no message.'],
    ['b.po', 'msgid "cut'],
    ['c.po', '#~ msgid "Old"\n#~ msgstr "Alt"'],
  ])('PO: what is damaged or none keeps its words: %s', async (name, source) => {
    expect((await parse(name, source)).text).toMatch(/words|cut|Old/);
  });

  it.each([
    [
      'a.xliff',
      '<xliff version="1.2"><file original="crane.c" source-language="en" target-language="de"><body><trans-unit id="1"><source>It has <g id="1">stopped</g>.</source><target>Er steht &amp; wartet.</target><note>In status</note></trans-unit><trans-unit id="2"><source>Lift</source><target/></trans-unit></body></file></xliff>',
      [
        ['heading', 'crane.c'],
        ['record', 'Text (en): It has stopped.\nTranslation (de): Er steht & wartet.\nNote: In status'],
        ['record', 'Text (en): Lift'],
      ],
    ],
    [
      'b.xlf',
      '<xliff version="2.0" srcLang="en" trgLang="de"><file id="f"><unit id="u"><segment><source>Good morning</source><target>Guten Morgen</target></segment></unit></file></xliff>',
      [['record', 'Text (en): Good morning\nTranslation (de): Guten Morgen']],
    ],
    [
      'c.tmx',
      '<?xml version="1.0"?><tmx version="1.4"><body><tu><tuv xml:lang="en"><seg>Gate</seg></tuv><tuv xml:lang="de"><seg>Tor</seg></tuv></tu></body></tmx>',
      [['record', 'Text (en): Gate\nText (de): Tor']],
    ],
  ])('XML: %s', async (name, source, expected) => {
    expect(outline(await parse(name, source))).toEqual(expected);
  });
});
