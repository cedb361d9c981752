import { describe, expect, it } from 'vitest';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { labelGain, subjectGain } from '../../../../../src/answer/sentences/rules/labelled.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const minutes = hitOf(
  chunkOf(
    'The regatta takes place on the lake again. Ruth Feld keeps the boats.\n\nDeadline for entries: 30 May 2025\nNext meeting: 8 April 2025, 19:00\nChair: Maria Lindqvist',
    { uri: 'minutes.md', title: 'Minutes of the rowing club' },
  ),
);
const data = hitOf(
  chunkOf('The K40 is a light boat for two.\n\n- **Weight:** 21 kg\n- **Top speed:** 9 knots\n- Colours: red, white', {
    uri: 'k40.md',
    title: 'K40: technical data',
  }),
);
const contract = hitOf(
  chunkOf('Tenant: Amina Diallo\nMonthly rent: 150 euros\n\nThe tenant pays the rent on the first day of each month.', {
    uri: 'boathouse.txt',
    title: 'Boathouse',
  }),
);
const hits = [minutes, data, contract];
const statistics = statisticsOf(hits.map(({ chunk }) => chunk.text));

function gaining(text: string, among = hits): string[] {
  const statistics = statisticsOf(among.map(({ chunk }) => chunk.text));
  const question = analyseQuestion(text, statistics);
  return candidatesOf(question, among).flatMap((one) => {
    const { unit, passage } = one;
    return labelGain(question, one) > 0 ? [passage.hit.chunk.text.slice(unit.start, unit.end)] : [];
  });
}

describe('labelGain', () => {
  it('is for an item of a price list', () => {
    const tickets = hitOf(
      chunkOf('## Tickets\n\n- Adults £9\n- Families (two adults) £22\n- Children free\n', { title: 'Museum' }),
    );
    expect(gaining('How much is a ticket for adults at the museum?', [tickets])).toEqual(['- Adults £9']);
  });

  it('is for a row of figures whose label is the value that is asked for', () => {
    const sheet = hitOf(
      chunkOf('Counterparty: | Gull Master Fund\nMaster ID: | 99359\nReport: | 12', { title: 'Sheet', format: 'xlsx' }),
    );
    expect(gaining('What is the master ID of Gull?', [sheet])).toEqual(['Master ID: | 99359']);
    expect(gaining('Was ist die Master ID von Gull?', [sheet])).toEqual(['Master ID: | 99359']);
    expect(gaining('What is a master ID?', [sheet])).toEqual([]);
  });

  it('is for no value of a thing, where it is asked what such a thing is', () => {
    const told = (text: string, title: string) => [hitOf(chunkOf(text, { title }))];
    expect(gaining("Qu'est-ce qu'un paquet source ?", told('Source: zim', 'Structure du paquet source'))).toEqual([]);
    expect(gaining('Que veut dire paquet source ?', told('Source: zim', 'Structure du paquet source'))).toEqual([]);
    expect(gaining('What is a source package?', told('Source: zim', 'Parts of a source package'))).toEqual([]);
    expect(gaining('What is the source of the package?', told('Source: zim', 'The package'))).toEqual(['Source: zim']);
    expect(gaining('What is a capstan?', told('Capstan: a drum for ropes', 'Words'))).toEqual([
      'Capstan: a drum for ropes',
    ]);
  });

  it('is for the line whose label the question names in other words', () => {
    expect(gaining('When does the next meeting take place?')).toEqual(['Next meeting: 8 April 2025, 19:00']);
    expect(gaining('Who is the tenant?')).toEqual(['Tenant: Amina Diallo']);
    expect(gaining('How much is the rent per month?')).toEqual(['Monthly rent: 150 euros']);
    expect(gaining('Which colours does the K40 have?')).toEqual([expect.stringContaining('Colours: red, white')]);
  });

  it('is for what is needed below the heading that says for what, and no other', () => {
    const boats = hitOf(
      chunkOf(
        '## Hire a boat\n\nRequired card: `blue`. Keep it dry.\n\n## Sell a boat\n\nRequired card: `red`.\n\nIt is slow.',
        { title: 'Boats' },
      ),
    );
    expect(gaining('Which card is needed to hire a boat?', [boats])).toEqual(['Required card: `blue`.']);
    expect(gaining('Which card is needed to sell a boat?', [boats])).toEqual(['Required card: `red`.']);
    expect(gaining('Which card is needed to burn a boat?', [boats])).toEqual([]);
  });

  it('is for one of several labels of a line', () => {
    const minutes = hitOf(
      chunkOf('Present: Ann Moor, Bo Tarn. Excused: Cy Lund.\n\nDue: in May. It is slow.', { title: 'Minutes' }),
    );
    expect(gaining('Who was excused?', [minutes])).toEqual(['Excused: Cy Lund.']);
    expect(gaining('Who was present?', [minutes])).toEqual(['Present: Ann Moor, Bo Tarn.']);
    expect(gaining('When is it due?', [minutes])).toEqual([]);
  });

  it('is for a label in bold letters with more than one sentence behind it', () => {
    const report = hitOf(
      chunkOf('**Detection:** A keeper called at noon. No bell rang.\n\nDetection: by ear. It is slow.', {
        title: 'Fire on the quay',
      }),
    );
    expect(gaining('How was the fire detected?', [report])).toEqual(['**Detection:** A keeper called at noon.']);
  });

  it('is not for options below a label, where yes or no is asked for', () => {
    const page = hitOf(chunkOf('Lifting boats:  --all  Lift all boats\n\nBoats in winter: none', { title: 'Boats' }));
    expect(gaining('Can boats be lifted?', [page])).toEqual([]);
    expect(gaining('Are there boats in winter?', [page])).toEqual(['Boats in winter: none']);
  });

  it('is not for a line that is an example', () => {
    const below = (lead: string) => [
      hitOf(chunkOf(`It is one of three colours. ${lead}\n\nColour: red (or so)\n\nIt fades.`, { title: 'Boat' })),
    ];
    const asked = 'Which colour can the boat have?';
    expect(gaining(asked, below('The boat is this:'))).toEqual(['Colour: red (or so)']);
    for (const lead of [
      'For example:',
      'e.g.:',
      'Zum Beispiel:',
      'Par exemple :',
      'Por ejemplo:',
      'Ad esempio:',
      '例如：',
    ])
      expect(gaining(asked, below(lead)), lead).toEqual([]);
  });

  it('is for a label with the mark of a footnote', () => {
    const table = hitOf(
      chunkOf('2019 | 2018\nAudit fees(1) | $399,382 | $499,850\nTax fees | $-- | $--', { uri: 'fees.md' }),
    );
    expect(gaining('What were the audit fees in 2019?', [table])).toEqual([expect.stringContaining('$399,382')]);
  });

  it('is for a label that says the kind of the answer, where title and value have the rest', () => {
    expect(gaining('How heavy is the K40?')).toEqual([expect.stringContaining('21 kg')]);
    expect(gaining('How heavy is the K50?')).toEqual([]);
  });

  it('is for the row and the dated heading that the question names, and for no row where it wants to know how', () => {
    const limits = hitOf(
      chunkOf('| limit | free | paid |\n| --- | --- | --- |\n| largest file | 2 GiB | 20 GiB |\n| users | 5 | 20 |', {
        uri: 'limits.md',
        title: 'Limits',
      }),
    );
    const changes = hitOf(
      chunkOf(
        '# Changes\n\n## 2.3.0 - 2024-12-03\n\nThe old format is gone.\n\n## 2.2.0 (2024-10-01)\n\nFewer files.',
        {
          uri: 'CHANGES.md',
          title: 'Changes',
        },
      ),
    );
    const of = (asked: string): string[] => gaining(asked, [limits, changes]);
    expect(of('What is the largest file on the paid plan?')).toEqual(['| largest file | 2 GiB | 20 GiB |']);
    expect(of('When was 2.3.0 released?')).toEqual(['## 2.3.0 - 2024-12-03']);
    expect(of('When was 2.2.0 released?')).toEqual(['## 2.2.0 (2024-10-01)']);
    expect(of('Can I share the largest file?')).toEqual([]);
  });

  it('is for what stands under “Description” in the section of what is to be explained', () => {
    const text = 'Description: | Keeps two boats apart on a slip\nSyntax: | boatRack count\nDefault: | boatRack 2';
    const row = (headings: readonly string[]) =>
      hitOf(chunkOf(text, { uri: 'slip.html', title: 'Slip', format: 'html', headings }));
    const described = ['Description: | Keeps two boats apart on a slip'];
    expect(gaining('What does boatRack do?', [row(['Slip', 'boatRack Directive'])])).toEqual(described);
    expect(gaining('What does oarLock do?', [row(['Slip', 'boatRack Directive'])])).toEqual([]);
  });

  it('is nothing for a label of something else, for a value of another kind, for half of what is asked', () => {
    expect(gaining('When was the club founded?')).toEqual([]);
    expect(gaining('When does the tenant pay?')).toEqual([]); // a name is no date
    expect(gaining('Who is the guarantor behind the tenant since then?')).toEqual([]);
    expect(gaining('When is the last meeting of all shareholders?')).toEqual([]);
  });

  it('decides what stands first', () => {
    const { answer, confidence } = answerExtractive('Who is the tenant?', hits, statistics, {
      refuseBelow: 0,
      answerFrom: 0,
    });
    expect(answer).toMatch(/^Tenant: Amina Diallo \[1\]/);
    expect(confidence).toBe('high');
  });
});

it('subjectGain is for the row of whom the question names, not for the row that names somebody elsewhere', () => {
  const table = hitOf(
    chunkOf(
      '| name | post | relieved by |\n| --- | --- | --- |\n| Tor Vale | lamp | Ines Holt |\n| Ines Holt | bell | Ada Moor |',
      { uri: 'watch.md', title: 'Watch' },
    ),
  );
  const question = analyseQuestion('Who relieves Ines Holt?', statisticsOf([table.chunk.text]));
  const gains = candidatesOf(question, [table])
    .filter(({ unit }) => unit.header)
    .map((one) => subjectGain(question, one));
  expect(gains[0]).toBe(0);
  expect(gains[1]).toBeGreaterThan(0);
});

it.each([
  ['What does a berth in Port Sele cost?', [false, true, false]],
  ['What does a berth in Varn cost?', [false, false, true]],
  ['What does a berth in Ardle cost?', [false, false, false]],
])('subjectGain knows a row that names several subjects, or says more of its own: %s', (asked, expected) => {
  const text =
    '| Place | Berth |\n| --- | --- |\n| Very Varn | 9 |\n| Dunholt, Port Sele | 14 |\n| Varn (from May) | 11 |';
  const table = hitOf(chunkOf(text, { uri: 'berths.md', title: 'Berths' }));
  const question = analyseQuestion(asked, statisticsOf([text]));
  const gains = candidatesOf(question, [table]).filter(({ unit }) => unit.header);
  expect(gains.map((one) => subjectGain(question, one) > 0)).toEqual(expected);
});

it.each([
  ['What is the tensile strength of SK22-3?', [false, false]],
  ['What is the hardness of SK22-3?', [true, false]],
  ['How many bars of SK22-3 are there?', [false, false]],
])('a row of the subject that says something else, or has no figure, gains nothing: %s', (asked, expected) => {
  const text = [
    'Steel for bolts.',
    'Hardness of the grade\n\nGrade | Brinell\n--- | ---\nSK22-3 | 293-375\nSK40 | 302',
    'Uses of the grade\n\nGrade | Uses of bars\n--- | ---\nSK22-3 | bolts and nuts\nSK40 | nuts',
  ].join('\n\n');
  const tables = hitOf(chunkOf(text, { uri: 'steel.md', title: 'Steel' }));
  const question = analyseQuestion(asked, statisticsOf([text]));
  const rows = candidatesOf(question, [tables]).filter(({ unit }) => unit.header);
  const gains = rows.filter(({ unit }) => text.startsWith('SK22-3', unit.start));
  expect(gains.map((one) => labelGain(question, one) + subjectGain(question, one) > 0)).toEqual(expected);
});

it.each([
  ['Wie hoch ist der Kran?', 'Der Kran steht am Kai.\n\nHöhe: 12 m\nGewicht: 40 t', 'Höhe: 12 m'],
  [
    'Wann wurde der Kran eröffnet?',
    'Der Kran steht am Kai.\n\nDatum: 3. Mai 1931\nGewicht: 40 t',
    'Datum: 3. Mai 1931',
  ],
  [
    'Quand la grue a-t-elle été ouverte ?',
    'La grue ouverte du quai.\n\nDate : 3 mai 1931\nPoids : 40 t',
    'Date : 3 mai 1931',
  ],
  ['Когда открыт кран?', 'Открыт кран на причале.\n\nДата: 3 мая 1931\nВес: 40 т', 'Дата: 3 мая 1931'],
])('knows what labels of values are called in other languages: %s', (asked, text, line) => {
  const hit = hitOf(chunkOf(text, { uri: 'crane.md', title: asked.replace(/^\S+ /, '') }));
  const question = analyseQuestion(asked, statisticsOf([text]));
  const gaining = candidatesOf(question, [hit]).filter((one) => labelGain(question, one) > 0);
  expect(gaining.map(({ unit }) => text.slice(unit.start, unit.end))).toEqual([line]);
});

it('subjectGain tells a row without something from one with it', () => {
  const table = hitOf(
    chunkOf('| Art | Platz |\n| --- | --- |\n| Ohne Kran | 4 m |\n| Mit Kran | 10 m |', {
      uri: 'quay.md',
      title: 'Kai',
    }),
  );
  const gains = (asked: string): boolean[] => {
    const question = analyseQuestion(asked, statisticsOf([table.chunk.text]));
    return candidatesOf(question, [table])
      .filter(({ unit }) => unit.header)
      .map((one) => subjectGain(question, one) > 0);
  };
  expect(gains('Wie viel Platz braucht man mit Kran?')).toEqual([false, true]);
  expect(gains('Wie viel Platz braucht man ohne Kran?')).toEqual([true, false]);
});

it.each([
  ['Who does the patient live with?', 0],
  ['Who is the patient?', 1],
])('labelGain: %s', (asked, lines) => {
  const text = 'Patient: Nora Pell\nDischarged to: own home, where they live with Tor Ask\nWard: 7B';
  const hit = hitOf(chunkOf(text, { title: 'Letter' }));
  const question = analyseQuestion(asked, statisticsOf([text, 'The patient sleeps.', 'A patient eats.']));
  expect(candidatesOf(question, [hit]).filter((one) => labelGain(question, one) > 0)).toHaveLength(lines);
});

it.each([
  ['How much does the crane cost?', 'low'], // with which lid?
  ['How much does the crane cost with a steel lid?', 'high'],
  ['How heavy is the crane?', 'high'],
])(
  'one of several lines with the same label is no plain answer, unless it has more of the question: %s',
  (asked, confidence) => {
    const text =
      'Crane of the quay\n\n- Price: 9 euros (bare)\n- Price: 42 euros (with a lid)\n- Price: 60 euros (with a steel lid)\n- Weight: 21 kg';
    const options = { sentences: 1, refuseBelow: 0, answerFrom: 0 };
    const hit = hitOf(chunkOf(text, { title: 'Crane of the quay' }));
    expect(answerExtractive(asked, [hit], statisticsOf([text]), options).confidence).toBe(confidence);
  },
);
