import { describe, expect, it } from 'vitest';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { sectionGain } from '../../../../../src/answer/sentences/rules/section.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const code = (text: string, position: number, heading: string) =>
  hitOf(chunkOf(text, { uri: 'quay.ts', title: 'quay.ts', format: 'code', position, headings: [heading] }));
const first = code('/**\n * Keeps only the last ship of each tide. The others wait.\n */', 1, 'lastOfTide');
const second = code(' *\n * This is like lastOfTide, one ship at a time.\n */', 2, 'lastOfTide');
const other = code('/**\n * Like {@link lastOfTide}, but lastOfTide keeps the first ship.\n */', 1, 'firstOfTide');
const prose = hitOf(
  chunkOf('## Tide lock\n\nThe gate holds the water in the basin at low tide. It opens twice a day.', {
    uri: 'harbour.md',
    title: 'Harbour',
    headings: ['Tide lock'],
  }),
);

function gaining(text: string, hits = [other, second, first, prose]): string[] {
  const question = analyseQuestion(text, statisticsOf(hits.map(({ chunk }) => chunk.text)));
  return candidatesOf(question, hits).flatMap((one) => {
    const { unit, passage } = one;
    return sectionGain(question, one) > 0 ? [passage.hit.chunk.text.slice(unit.start, unit.end)] : [];
  });
}

describe('sectionGain', () => {
  it('is for the first sentence of the comment on what the question names', () => {
    expect(gaining('What does lastOfTide do?')).toEqual([expect.stringContaining('Keeps only the last ship')]);
  });

  it('is for what a file holds, below a heading with its folders', () => {
    const text = '## The file /etc/quay/ropes.list\n\nIt holds one rope a line. Ropes that are not listed are cut.';
    const page = hitOf(chunkOf(text, { uri: 'quay.md', title: 'Quay', headings: ['The file /etc/quay/ropes.list'] }));
    expect(gaining('What is the ropes.list file?', [page])).toEqual(['It holds one rope a line.']);
  });

  it('is not for what holds under a condition, where it is asked what a thing is', () => {
    const text = '## Stiff rope\n\nIf a stiff rope is new, it takes two keepers to coil it.';
    const page = hitOf(chunkOf(text, { uri: 'rope.md', title: 'Ropes', headings: ['Stiff rope'] }));
    expect(gaining('What is a stiff rope?', [page])).toEqual([]);
    expect(gaining('What about the stiff rope?', [page])).toHaveLength(1);
  });

  it('is for the entry of a glossary, which leaves out the word that it explains', () => {
    const text = '## Hook\n\nA part of a crane that holds the load.\n\n## Rope\n\nThe hook is fixed to it.';
    const page = hitOf(chunkOf(text, { uri: 'glossary.md', title: 'Glossary', headings: ['Hook'] }));
    const gainOf = (text: string): number => {
      const question = analyseQuestion(text, statisticsOf([page.chunk.text]));
      return Math.max(...candidatesOf(question, [page]).map((one) => sectionGain(question, one)));
    };
    expect(gainOf('What is a hook?')).toBeGreaterThan(gainOf('What is a rope?')); // a whole sentence, as below any heading
  });

  it('is for the first sentence below the heading that the question names', () => {
    expect(gaining('What is the tide lock?')).toEqual(['The gate holds the water in the basin at low tide.']);
    const text = '**Tide lock**\n\nThe gate holds the water in the basin at low tide. It opens twice a day.';
    const bold = hitOf(chunkOf(text, { uri: 'lock.md', title: 'Harbour', headings: ['Tide lock'] }));
    expect(gaining('What is the tide lock?', [bold])).toEqual(['The gate holds the water in the basin at low tide.']);
  });

  it('is for what stands first below Description, in a section of what the question names', () => {
    const page = (text: string, ...headings: string[]) =>
      hitOf(chunkOf(text, { uri: 'hoist.html', title: 'Cranes', format: 'html', headings }));
    const text = 'HoistRope\n\nDescription\n\nLifts the hook. The rope runs over a wheel.';
    const described = page(text, 'HoistRope', 'Description');
    expect(gaining('What does the hoistrope task do?', [described])).toEqual(['Lifts the hook.']);
    expect(gaining('What does the hoist task do?', [described])).toEqual([]); // a part of the name
    expect(
      gaining('What does the hoistrope task do?', [page(text.replace('Description', 'Limits'), 'HoistRope', 'Limits')]),
    ).toEqual([]);
    // says how it is used
    const gainOf = (sentence: string): number => {
      const hit = page(`Hoist\n\nDescription\n\n${sentence}`, 'Hoist', 'Description');
      const question = analyseQuestion('What does the hoist task do?', statisticsOf([sentence]));
      return sectionGain(question, candidatesOf(question, [hit])[0]!);
    };
    expect(gainOf('This task takes a rope and a hook.')).toBeLessThan(gainOf('This task pulls a rope and a hook.'));
  });

  it('is for what stands first below a title that says more, but for notes on versions and sources', () => {
    const heading = 'hoist — Ropes and hooks';
    const text = `${heading}\n\nNew in version 3.4.\n\nSource code: lib/hoist.py\n\nLifts a load by a rope and a hook. It is slow.`;
    const page = hitOf(chunkOf(text, { uri: 'hoist.html', title: heading, format: 'html', headings: [heading] }));
    expect(gaining('What does the hoist module do?', [page])).toEqual(['Lifts a load by a rope and a hook.']);
    expect(gaining('What does hoist.Rope do?', [page])).toEqual([]);
  });

  it('is for the first sentence below the forms of a statement', () => {
    const text =
      'SHOW quay.tide_lock;\nSHOW quay.tide_lock = number;\n\nReturn the number of the tide lock. It is a figure.';
    const page = hitOf(chunkOf(text, { uri: 'show.html', title: 'Statements', format: 'html', headings: ['List'] }));
    expect(gaining('What does the tide_lock statement do?', [page])).toEqual(['Return the number of the tide lock.']);
    expect(gaining('What does the rope_lock statement do?', [page])).toEqual([]);
  });

  it('is for a comment behind imports, in the file of that name, whose function is cut from it', () => {
    const cut = (text: string) =>
      hitOf(chunkOf(text, { uri: 'src/moor.ts', title: 'moor.ts', format: 'code', headings: [] }));
    const comment = '/**\n * Ties up the ship for a while.\n * It needs a rope.\n *\n * ## Example';
    const says = [expect.stringContaining('Ties up the ship')];
    expect(gaining('What does the moor function do?', [cut(`import { rope } from '../rope';\n\n${comment}`)])).toEqual(
      says,
    );
    expect(gaining('What does the oar function do?', [cut(`import { rope } from '../rope';\n\n${comment}`)])).toEqual(
      [],
    );
    expect(gaining('What does the moor function do?', [cut(comment)])).toEqual([]); // may be a licence
    const whole = `import { rope } from '../rope';\n\n${comment}\n */\nconst knot = 1;`;
    expect(gaining('What does the moor function do?', [cut(whole)])).toEqual([]);
  });

  it('is not for a sentence that only announces examples', () => {
    const text = '## Tide lock\n\nExamples of the tide lock with a gate of wood:\n\n- the old one\n- the new one';
    const shown = hitOf(chunkOf(text, { uri: 'lock.md', title: 'Harbour', headings: ['Tide lock'] }));
    expect(gaining('What does the tide lock do?', [shown])).toEqual([]);
  });

  it('is for a heading that has some words of the question, below one that has the others', () => {
    const below = (...headings: string[]) =>
      hitOf(
        chunkOf(`${headings.at(-1)}\n\nKeeps others from casting off the ship. It is of wood.`, {
          uri: 'crane.html',
          title: 'Crane',
          headings,
        }),
      );
    const question = 'What does the Rope-Guard lever do?';
    expect(gaining(question, [below('Safety levers', 'Rope-Guard')])).toEqual([
      'Keeps others from casting off the ship.',
    ]);
    expect(gaining(question, [below('Safety', 'Rope-Guard')])).toEqual([]);
    expect(gaining(question, [below('The Rope-Guard lever', 'Wood')])).toEqual([]);
    expect(gaining('What does the Rope-Guard setting do?', [below('Safety', 'Rope-Guard')])).toHaveLength(1);
    expect(gaining('What does the setting Rope-Guard do?', [below('Safety', 'Wood')])).toEqual([]);
  });

  it('is for a heading with arguments, and not for one of which a single word of the question is a part', () => {
    const below = (heading: string, text = 'Lets the load down to the ground with care.') =>
      hitOf(
        chunkOf(`${heading}\n\n${text}`, { uri: 'crane.html', title: 'Crane', format: 'html', headings: [heading] }),
      );
    const question = 'What does crane drop do?';
    for (const heading of ['drop [-s|--slow] <load>', 'drop', 'The drop command'])
      expect(gaining(question, [below(heading)])).toEqual(['Lets the load down to the ground with care.']);
    expect(gaining('What is the drop?', [below('Overview of the drop')])).toHaveLength(1);
    expect(gaining('What is the drop?', [below('Split drop')])).toEqual([]);
  });

  it('takes no number of a heading for something else that it names', () => {
    const text = '2.6. Darf ich hier den Kahn kaufen oder mieten?\n\nJa. Der Wart hat die Schlüssel.';
    const heading = '2.6. Darf ich hier den Kahn kaufen oder mieten?';
    const numbered = hitOf(chunkOf(text, { uri: 'faq.html', title: 'Fragen', headings: [heading], format: 'html' }));
    expect(gaining('Darf ich hier den Kahn mieten?', [numbered])).toEqual(['Ja.']);
    // the heading asks for two things more
    const other = heading.replace('kaufen', 'kaufen, verkaufen');
    const two = hitOf(chunkOf(text.replace(heading, other), { uri: 'faq.html', headings: [other], format: 'html' }));
    expect(gaining('Darf ich hier den Kahn mieten?', [two])).toEqual([]);
  });

  it('lets the address of the document have the words that the heading has not', () => {
    for (const place of ['quay', 'Quay.ts', 'the quay'])
      expect(gaining(`What does lastOfTide do in ${place}?`)).toEqual([expect.stringContaining('Keeps only the last')]);
    expect(gaining('What does lastOfTide do in harbours?')).toEqual([]);
    expect(gaining('What is quay.ts?')).toEqual([]);
  });

  it('looks past the badges of a project', () => {
    const badges = '[![Build](https://a.example/b.svg)](https://a.example)\n![Size][size]\n\n';
    const text = `# Tide lock\n\n${badges}The gate holds the water in the basin. It opens twice a day.`;
    const readme = hitOf(chunkOf(text, { uri: 'readme.md', title: 'Tide lock', headings: ['Tide lock'] }));
    expect(gaining('What is the tide lock?', [readme])).toEqual(['The gate holds the water in the basin.']);
  });

  it('is for the first sentence below such a heading that has the figure which is asked for', () => {
    const text =
      '## Maximum number of guests\n\nThe default is 12. Ask for more.\n\n## Hours\n\nIt opens from 8 to 17.';
    const rules = hitOf(chunkOf(text, { uri: 'rules.md', title: 'Rules', headings: ['Maximum number of guests'] }));
    expect(gaining('What is the maximum number of guests?', [rules])).toEqual(['The default is 12.']);
    expect(gaining('How many boats are there?', [rules])).toEqual([]);
  });

  it('is for a word or two that are the whole section, where they are of the kind that is asked for', () => {
    const text = '# Lock\n\n## License\n\nMIT\n\n## Width\n\n12 metres\n\n## Keepers\n\nAda Berg\n\nShe keeps the key.';
    const lock = hitOf(chunkOf(text, { uri: 'lock.md', title: 'Lock', headings: ['Lock'] }));
    expect(gaining('Which license does the lock have?', [lock])).toEqual(['MIT']);
    expect(gaining('What is the width?', [lock])).toEqual(['12 metres']);
    expect(gaining('When was the license given?', [lock])).toEqual([]);
    expect(gaining('Who are the keepers?', [lock])).toEqual([]); // the section goes on
  });

  it('is nothing where the question asks for more than the heading, or for a figure', () => {
    expect(gaining('What does lastOfTide do with ferries?')).toEqual([]);
    expect(gaining('How many tide locks are there?')).toEqual([]);
  });

  it('is for the first sentence below a heading that asks the same, whatever is asked for', () => {
    const faq = (heading: string, text: string) =>
      hitOf(chunkOf(`## ${heading}\n\n${text}`, { uri: 'faq.md', title: 'Questions', headings: [heading] }));
    const hits = [
      faq('How do I cancel an order?', 'Write to the desk two days before. Orders cancelled later cost half.'),
      faq('Do you deliver on Sundays?', 'No. We deliver Monday to Saturday. Ask for exceptions.'),
      faq('How many orders were cancelled in May?', 'Few were.'),
    ];
    const statistics = statisticsOf(hits.map(({ chunk }) => chunk.text));
    const answerTo = (question: string): string =>
      answerExtractive(question, hits, statistics, { refuseBelow: 0, answerFrom: 0 }).answer;
    expect(answerTo('How can I cancel an order?')).toBe(
      'Write to the desk two days before. Orders cancelled later cost half. [1]',
    );
    expect(answerTo('Do you deliver on Sundays?')).toBe('No. We deliver Monday to Saturday. Ask for exceptions. [1]');
    expect(answerTo('How many orders were cancelled?')).not.toMatch(/^Write/);
  });

  it('decides what stands first', () => {
    const hits = [first, second, other];
    const { answer } = answerExtractive(
      'What does lastOfTide do?',
      hits,
      statisticsOf(hits.map(({ chunk }) => chunk.text)),
      { refuseBelow: 0, answerFrom: 0 },
    );
    expect(answer).toMatch(/^Keeps only the last ship of each tide/);
  });

  it('is for the sentence below a heading that asks without a question mark', () => {
    const fence = hitOf(
      chunkOf(
        '## Why the pier has no rail\n\nReasons for that include:\n\n- ropes would catch,\n- it is low.\n\nThe pier has a rail on maps.',
        {
          uri: 'pier.md',
          title: 'Pier',
        },
      ),
    );
    expect(gaining('Why does the pier have no rail?', [fence, prose])).toEqual(['Reasons for that include:']);
    expect(gaining('When did the pier have no rail?', [fence, prose])).toEqual([]);
  });
});

it('takes a value that stands alone before further sentences', () => {
  const page = (text: string) => hitOf(chunkOf(text, { uri: 'tern.md', title: 'Tern', headings: ['Licence'] }));
  expect(gaining('What is the licence of tern?', [page('## Licence\n\nMIT. The logo is free.')])).toEqual(['MIT.']);
  expect(gaining('What is the licence of tern?', [page('## Licence\n\nApache 2.0. The logo is free.')])).toEqual([
    'Apache 2.0.',
  ]);
  expect(gaining('What is the licence of tern?', [page('## Licence\n\nRead on. The logo is free.')])).toEqual([]);
});
