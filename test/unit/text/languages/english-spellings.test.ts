import { describe, expect, it } from 'vitest';
import { documentTokens } from '../../../../src/text/analysis/analysis.ts';
import { oneSpelling } from '../../../../src/text/languages/english-spellings.ts';

const pairs = `colour color, colours colors, favourite favorite, behaviour behavior, honourable honorable, labour labor,
neighbouring neighboring, armoured armored, tumours tumors, centre center, centres centers, centred centered,
centring centering, theatre theater, kilometres kilometers, litre liter, fibre fiber, fibreglass fiberglass,
licence license, licences licenses, defence defense, offences offenses, pretence pretense, catalogue catalog,
catalogued cataloged, dialogues dialogs, practised practiced, practising practicing, organise organize,
organised organized, organising organizing, organiser organizer, organisation organization,
recognisable recognizable, recognisably recognizably, synthesised synthesized, publicise publicize,
relativised relativized, analyse analyze, analyser analyzer, paralysed paralyzed, catalysing catalyzing,
haemoglobin hemoglobin, anaemia anemia, leukaemic leukemic, paediatric pediatric, encyclopaedia encyclopedia,
anaesthetic anesthetic, archaeology archeology, gynaecologist gynecologist, aetiology etiology, caesium cesium,
oesophagus esophagus, oestrogen estrogen, oedema edema, foetus fetus, diarrhoea diarrhea, apnoea apnea,
amoeba ameba, coeliac celiac, manoeuvre maneuver, manoeuvred maneuvered, sulphur sulfur, judgement judgment,
acknowledgements acknowledgments, fulfil fulfill, enrolment enrollment, instalments installments, skilful skillful,
fuelled fueled, dialling dialing, travelled traveled, programme program, grey gray, ploughed plowed,
aluminium aluminum, ageing aging, artefacts artifacts, sceptical skeptical, mouldy moldy, draughty drafty, tyres tires,
jewellery jewelry, aeroplanes airplanes, enquiry inquiry, despatched dispatched, adaptors adapters`
  .split(/,\s+/)
  .map((pair) => pair.split(' ') as [string, string]);

describe('oneSpelling', () => {
  it.each(pairs)('finds %s where %s stands, and the other way round', (british, american) => {
    expect(documentTokens(british)).toEqual(documentTokens(american));
  });

  it('is the American spelling, so that an American text keeps its terms', () => {
    for (const [, american] of pairs) expect(oneSpelling(american)).toBe(american);
  });

  // two words each that only one wrong rule would make one
  it.each([
    ['four', 'for'],
    ['court', 'cort'],
    ['mourning', 'morning'],
    ['notre', 'noter'],
    ['entre', 'enter'],
    ['timbre', 'timber'],
    ['daemon', 'demon'],
    ['paradise', 'parade'],
    ['prise', 'prize'],
    ['science', 'sciense'],
    ['does', 'des'],
    ['wise', 'wize'],
  ])('keeps %s and %s apart', (one, other) => {
    expect(oneSpelling(one)).not.toBe(oneSpelling(other));
  });

  it.each([
    ['revise', 'revision'],
    ['precise', 'precision'],
    ['supervised', 'supervision'],
    ['incise', 'incision'],
    ['advertise', 'advertisement'],
    ['reprise', 'reprisal'],
    ['expertise', 'expertises'],
    ['license', 'licensed'],
  ])('leaves %s and %s one term', (one, other) => {
    expect(documentTokens(one)).toEqual(documentTokens(other));
  });

  it.each(['house', 'journal', 'installed', 'poem', 'Israel', 'phase', 'tortoise', 'noise', 'hundred', 'string'])(
    'changes nothing in %s',
    (word) => expect(oneSpelling(word)).toBe(word),
  );
});
