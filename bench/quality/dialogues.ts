/** Conversations about the demo collection, written for this bench before anything was measured with them. */

export interface DialogueTurn {
  readonly question: string;
  /** The same question as somebody would ask it without the conversation. */
  readonly alone: string;
  readonly uri: string;
  /** Words of the sentence that answers. */
  readonly quote: string;
}

const turn = (uri: string, quote: string, question: string, alone: string = question): DialogueTurn => ({
  question,
  alone,
  uri,
  quote,
});

/** The first turn of each stands alone. */
export const dialogues: readonly (readonly DialogueTurn[])[] = [
  [
    turn('handbook/boat-operations.md', '1.2 metres', 'Above which wave height does the Kittiwake stay in harbour?'),
    turn(
      'handbook/boat-operations.md',
      '28 litres an hour',
      'How much fuel does it burn per hour?',
      'How much fuel does the Kittiwake burn per hour?',
    ),
    turn(
      'handbook/boat-operations.md',
      'At least two people',
      'And how many people have to be on board?',
      'How many people have to be on board of the Kittiwake?',
    ),
    turn(
      'handbook/boat-operations.md',
      'colder than 12',
      'When do they have to wear a drysuit?',
      'When must people on the deck of the Kittiwake wear a drysuit?',
    ),
  ],
  [
    turn('reports/cable-fault-2024-11.md', 'chafed on the lip', 'What caused the cable fault in November 2024?'),
    turn(
      'reports/cable-fault-2024-11.md',
      '£86,400',
      'What did the repair cost?',
      'What did the repair of the export cable cost?',
    ),
    turn(
      'mail/2025-08-14-insurance.eml',
      '£61,400',
      'How much of that does the insurance pay?',
      'How much does the insurance pay for the damaged export cable?',
    ),
    turn(
      'mail/2025-08-14-insurance.eml',
      'lost production is not covered',
      'Why is the lost production not covered by them?',
      'Why is the lost production not covered by the insurance?',
    ),
    turn(
      'reports/cable-fault-2024-11.md',
      '78 MWh',
      'How much was lost?',
      'How much energy was lost by the cable fault?',
    ),
  ],
  [
    turn(
      'procedures/emergency-stop-v3.txt',
      '20 minutes',
      'How long must we wait after an emergency stop before restarting?',
    ),
    turn(
      'procedures/emergency-stop-v3.txt',
      'Only the station lead',
      'Who may authorise it?',
      'Who may authorise the restart after an emergency stop?',
    ),
  ],
  [
    turn('handbook/data-retention-2025.md', 'ten years', 'For how long are raw sensor data kept now?'),
    turn(
      'handbook/data-retention-2025.md',
      '1 January 2026',
      'And the old tapes, when may they be destroyed?',
      'When may the old tapes in the lighthouse be destroyed?',
    ),
    turn('handbook/data-retention-2023.md', '90 days', 'How long was video kept under the 2023 policy?'),
  ],
  [
    turn('minutes/2025-03-11-operations.md', '6 May 2025', 'On which date are the bearings of Gannet changed?'),
    turn(
      'minutes/2025-03-11-operations.md',
      'crane barge is not free',
      'Why not earlier?',
      'Why are the bearings of Gannet not changed earlier?',
    ),
    turn(
      'mail/2025-02-26-bearings-offer.eml',
      '41.250 Euro',
      'Was kostet der Lagersatz dafür?',
      'Was kostet der Lagersatz für die zweite Planetenstufe von Gannet?',
    ),
    turn(
      'transcripts/2025-05-20-turbine-review.vtt',
      '1.8 millimetres',
      'And what is its vibration now?',
      'What is the vibration of Gannet after the bearings were changed?',
    ),
    turn('data/turbine-specs.csv', 'Ostrava Composite Works', 'Who made its blades?', 'Who made the blades of Gannet?'),
  ],
  [
    turn('transcripts/2025-05-20-turbine-review.vtt', 'encoder', 'Why did Petrel trip in April 2025?'),
    turn('web/news-2025-03.html', '31 tonnes', 'How heavy is its generator?', 'How heavy is the generator of Petrel?'),
    turn('reports/noise-survey-2024.txt', '118 dB', 'How loud is it under water?', 'How loud is Petrel under water?'),
    turn(
      'reports/blade-inspection-2025-04.docx',
      '14 mm',
      'How deep is the erosion on blade B?',
      'How deep is the erosion on blade B of Petrel?',
    ),
    turn(
      'data/production-2024.csv',
      '174.1',
      'How much did it produce in October 2024?',
      'How much did Petrel produce in October 2024?',
    ),
  ],
  [
    turn(
      'handbook/wildlife-monitoring.md',
      'within 60 metres',
      'At what distance from a seal does a turbine have to slow down?',
    ),
    turn(
      'handbook/wildlife-monitoring.md',
      '5.2 hours',
      'How many hours did that cost in 2024?',
      'How many hours of operation did the seal rule cost in 2024?',
    ),
    turn(
      'code/seal-shutdown.ts',
      'An unknown animal counts as a seal',
      'What if the species is unknown?',
      'How does the code treat an animal of unknown species?',
    ),
  ],
  [
    turn('procedures/diving-permit.html', '12 hours', 'How long is a diving permit valid?'),
    turn(
      'procedures/diving-permit.html',
      'Inverbrae hospital',
      'Where is the nearest chamber?',
      'Where is the nearest recompression chamber for divers?',
    ),
    turn(
      'procedures/diving-permit.html',
      '18 by helicopter',
      'How long does it take to get there?',
      'How long does it take to the recompression chamber at Inverbrae hospital?',
    ),
  ],
  [
    turn('handbook/soup.md', 'smoked haddock', 'Which fish goes into the station soup?'),
    turn('handbook/soup.md', 'six people', 'How many does it serve?', 'How many people does the station soup serve?'),
    turn('handbook/soup.md', 'Henrik adds dill', 'Who puts dill in it?', 'Who puts dill in the station soup?'),
  ],
  [
    turn('mail/2025-06-30-visit-tanabe.eml', 'room 4', 'Which room in the hostel does Tanabe-san have?'),
    turn(
      'mail/2025-06-30-visit-tanabe.eml',
      '7 to 18 July',
      'How long is he staying?',
      'How long is the visit of Tanabe-san?',
    ),
    turn(
      'mail/2025-06-30-visit-tanabe.eml',
      '9 July at slack water',
      'When do his plates come up?',
      'When do the plates with the coatings of Tanabe-san come up?',
    ),
  ],
  [
    turn(
      'reports/biosalissures-2025-06.md',
      '6 % du rendement',
      'Combien de rendement les biosalissures coûtent-elles par an ?',
    ),
    turn(
      'reports/biosalissures-2025-06.md',
      'chaque année en mai',
      'Quand faut-il les nettoyer ?',
      'Quand faut-il nettoyer les pales des biosalissures ?',
    ),
  ],
  [
    turn(
      'reports/getriebe-gutachten-2025-02.md',
      '118 mg/kg',
      'Wie hoch ist der Eisengehalt des Getriebeöls von Gannet?',
    ),
    turn(
      'reports/getriebe-gutachten-2025-02.md',
      'zulässig sind 90',
      'Was wäre zulässig?',
      'Welcher Eisengehalt des Getriebeöls wäre zulässig?',
    ),
  ],
  [
    turn('reports/coating-trial-ja.md', '5.8メガパスカル', 'シリコーン系塗料S-12の付着強度はどれくらいですか。'),
    turn(
      'reports/coating-trial-ja.md',
      '前縁には摩耗に強いK-7',
      'それは翼の前縁にも勧められていますか。',
      '塗料S-12は翼の前縁にも勧められていますか。',
    ),
  ],
  [
    turn('data/alarm-codes.json', 'Cable temperature above 80', 'What does alarm CBL-214 mean?'),
    turn('data/alarm-codes.json', 'answered twice', 'And ENC-042?', 'What does alarm ENC-042 mean?'),
  ],
  [
    turn('reports/annual-report-2024.pdf', '2,804 MWh', 'How much electricity did the station deliver in 2024?'),
    turn(
      'reports/annual-report-2024.pdf',
      '30 September 2029',
      'When does its licence end?',
      'When does the licence of the station end?',
    ),
    turn('web/index.html', '£3.2 million', 'And who pays for it?', 'Who pays for the station?'),
  ],
];
