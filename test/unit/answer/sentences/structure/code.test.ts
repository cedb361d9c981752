import { describe, expect, it } from 'vitest';
import { signatureGain } from '../../../../../src/answer/sentences/manuals/signature.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { sectionGain } from '../../../../../src/answer/sentences/rules/section.ts';
import { headingsOver } from '../../../../../src/answer/sentences/structure/headings.ts';
import { unitsOf } from '../../../../../src/answer/sentences/structure/units.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const units = (text: string, format = 'code'): string[] =>
  unitsOf(text, format).map(({ start, end }) => text.slice(start, end));

const quay = `// Moors a ship. It waits for the tide.
function moor(ship, { lines = 2 } = {}) {
  return crew.fasten(ship, lines);
}

/**
 * Lets a ship go.
 * @param ship what is to go
 * @returns the time of its going
 * @throws TideError when the water is low
 */
function release(ship) {
  moor(ship);
}
`;

describe('units of programs', () => {
  it('are statements, directives and settings, each on its own', () => {
    expect(
      units('#define MOST 64 /* slots */\n#define SWAP(a) \\\n  do_it(a)\nint a = 1;\nint b = 2; // two\n'),
    ).toEqual(['#define MOST 64 /* slots */', '#define SWAP(a) \\\n  do_it(a)', 'int a = 1;', 'int b = 2; // two']);
    expect(units('[tool.lint]\nwidth = 110\nselect = ["E",\n  "F"]\n')).toEqual([
      'width = 110',
      'select = ["E",\n  "F"]',
    ]);
    expect(units('if (a) {\n  b();\n} else {\n  c();\n}\n')).toEqual(['if (a) {\n  b();\n} else {\n  c();\n}']);
  });

  it('end with a tag, a signature and a condition of the preprocessor', () => {
    expect(
      units('# @param level how bright\n# @raise [E] when it is not\ndef dim(level)\n  @level = level\nend\n'),
    ).toEqual(['# @param level how bright', '# @raise [E] when it is not', 'def dim(level)', '@level = level\nend']);
    expect(units('#ifndef SIZE\n#define SIZE 16\n#endif\n')).toEqual(['#define SIZE 16']);
    expect(units('def dim(level):\n    """Dims it."""\n')).toEqual(['def dim(level):\n    """Dims it."""']);
  });

  it('are no rows where a span of code has a bar', () => {
    const text = '- **most** `number | null` - Default: `null`\n- **least** `number | null` - Default: `1`';
    expect(unitsOf(text, 'markdown').map(({ kind }) => kind)).toEqual(['sentence', 'sentence']);
    expect(unitsOf('| a | `b | c` |\n| 1 | 2 |', 'markdown').map(({ kind }) => kind)).toEqual(['row', 'row']);
  });

  it('are mappings of YAML', () => {
    expect(units('web:\n  image: shop:2\ndb:\n  image: pg:16\n', 'yaml')).toEqual([
      'web:\n  image: shop:2',
      'db:\n  image: pg:16',
    ]);
    expect(
      units(
        'api:\n  image: shop:2\n  # Mail is shown at\n  # port 8025\n  SMTP: mail\n  # debug or info\n  LOG: info\n',
        'yaml',
      ),
    ).toEqual([
      'api:\n  image: shop:2',
      '# Mail is shown at\n  # port 8025',
      'SMTP: mail',
      '# debug or info',
      'LOG: info',
    ]);
  });

  it('are instructions of a file that builds an image', () => {
    expect(units('# Runs as nobody\nUSER 101\nEXPOSE 8080\nRUN make \\\n  all\nRUN test')).toEqual([
      '# Runs as nobody',
      'USER 101',
      'EXPOSE 8080',
      'RUN make \\\n  all',
      'RUN test',
    ]);
    expect(units('ALTER TABLE boats\n  ADD COLUMN berth int,\n  ADD COLUMN mast int')).toHaveLength(1);
  });
});

describe('headingsOver of programs', () => {
  it('gives each unit the declaration that it stands in, with the class around it', () => {
    const text = '  /** Opens. */\n  open(gate) {\n    return gate.open();\n  }\n  shut(gate) {\n    return 1;\n  }\n';
    const found = unitsOf(text, 'code');
    const { paths } = headingsOver(text, found, ['Lock', 'open'], 'code', 'typescript');
    const of = (part: string): string =>
      paths[found.findIndex(({ start, end }) => text.slice(start, end).includes(part))]!.join('>');
    expect(of('Opens.')).toBe('Lock>open');
    expect(of('gate.open')).toBe('Lock>open');
    expect(of('return 1')).toBe('Lock>shut');
  });
});

describe('what is asked of a function', () => {
  const hits = [hitOf(chunkOf(quay, { uri: 'quay.js', title: 'quay.js', format: 'code' }))];
  const gaining = (text: string, gain: typeof signatureGain): string[] => {
    const question = analyseQuestion(text, statisticsOf(hits.map(({ chunk }) => chunk.text)));
    return candidatesOf(question, hits).flatMap((one) => {
      const { unit } = one;
      return gain(question, one) > 0
        ? [
            quay
              .slice(unit.start, unit.end)
              .split('\n')[0]!
              .replace(/^[\s/*]+/, ''),
          ]
        : [];
    });
  };

  it('is what it does, where a comment begins that stands above it', () => {
    expect(gaining('What does moor do?', sectionGain)).toEqual(['Moors a ship.']);
    expect(gaining('What does release do?', sectionGain)).toEqual(['Lets a ship go.']);
  });

  it('is its arguments, what it returns or throws, in its own section', () => {
    expect(gaining('Which arguments does moor take?', signatureGain)).toEqual([
      'function moor(ship, { lines = 2 } = {}) {',
    ]);
    expect(gaining('How do I call release?', signatureGain)).toEqual([expect.stringContaining('function release')]);
    expect(gaining('What does release return?', signatureGain)).toEqual([expect.stringContaining('@returns the time')]);
    expect(gaining('Which error does release throw?', signatureGain)).toEqual([expect.stringContaining('@throws')]);
    expect(gaining('What does fasten return?', signatureGain)).toEqual([]);
  });
});
