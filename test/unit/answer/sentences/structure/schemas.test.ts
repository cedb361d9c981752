import { describe, expect, it } from 'vitest';
import { unitsOf } from '../../../../../src/answer/sentences/structure/units.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';

const units = (text: string, format = 'code'): string[] =>
  unitsOf(text, format).map(({ start, end }) => text.slice(start, end));

const boats = `CREATE TABLE boat (
    name      varchar(14) PRIMARY KEY,
    berth_no  char(13) NOT NULL REFERENCES berth (no),
    mast      smallint
              CHECK (mast < 90),
    crew      smallint NOT NULL DEFAULT 3 -- with the mate
);

CREATE INDEX by_crew ON boat (crew);
`;

describe('schemas', () => {
  it('of SQL are cut into the columns of their tables, which are no rows', () => {
    expect(units(boats)).toEqual([
      'CREATE TABLE boat (',
      'name      varchar(14) PRIMARY KEY,',
      'berth_no  char(13) NOT NULL REFERENCES berth (no),',
      'mast      smallint\n              CHECK (mast < 90),',
      'crew      smallint NOT NULL DEFAULT 3 -- with the mate',
      'CREATE INDEX by_crew ON boat (crew);',
    ]);
  });

  it('of SQL answer what a table has with all its columns', () => {
    const hits = [hitOf(chunkOf(boats, { format: 'code', uri: 'boats.sql', title: 'boats.sql' }))];
    const { answer } = ask('Which columns does the table boat have?', hits);
    expect(answer).toContain('CREATE TABLE boat (');
    expect(answer).toContain('crew smallint NOT NULL');
    expect(answer).not.toContain('CREATE INDEX');
  });

  it('of GraphQL are cut into fields, each with the text above it and what stands behind its type', () => {
    const schema = `enum Tide {
  "The water rises."
  FLOOD
  "The water falls."
  EBB
}

type Boat {
  name: String!
  "Of the keel, in metres."
  draught(unit: Unit = METRE): Float
  moor(at: ID!): Boat! @deprecated(reason: "Use land.")
}
`;
    expect(units(schema)).toEqual([
      'enum Tide {',
      '"The water rises."\n  FLOOD',
      '"The water falls."\n  EBB',
      'type Boat {',
      'name: String!',
      '"Of the keel, in metres."\n  draught(unit: Unit = METRE): Float',
      'moor(at: ID!): Boat! @deprecated(reason: "Use land.")',
    ]);
  });

  it('of GraphQL may declare values alone', () => {
    expect(units('enum Tide {\n  "The water rises."\n  FLOOD\n  "The water falls."\n  EBB\n}\n')).toEqual([
      'enum Tide {',
      '"The water rises."\n  FLOOD',
      '"The water falls."\n  EBB',
    ]);
  });

  it('of other languages stay whole', () => {
    expect(units('interface Boat {\n  name: string\n  mast: number\n}')).toEqual([
      'interface Boat {',
      'name: string\n  mast: number',
    ]);
  });

  it('and records in JSON are cut between objects, of which one inside another stays with it', () => {
    const record = [
      'paths./boats.get.summary: Lists all boats that lie in the harbour',
      'paths./boats.get.parameters.name: lang',
      'paths./boats.get.parameters.schema.default: en',
      'paths./boats.get.parameters.schema.enum: de',
      'paths./boats.get.responses.200.description: The boats',
      'paths./boats.get.responses.404.description: There is no such harbour, or it has no boats',
    ].join('\n');
    expect(units(record, 'json').map((one) => one.split('\n').length)).toEqual([4, 1, 1]);
    expect(units('name: quay-lift\nversion: 2.1.0\nengines.node: >=18', 'json')).toHaveLength(1);
  });
});

it('a comment of a Makefile is said with the target below it', () => {
  const text =
    '# Tar the hull; takes about a day\ntar:\n\tbrush --tar hull\n\n# Sand the mast\nsand: tar\n\tsander mast\n';
  const chunk = {
    ...chunkOf(text, { format: 'code', uri: 'Makefile', title: 'Makefile' }),
    metadata: { language: 'make' },
  };
  expect(ask('How do I tar the hull?', [hitOf(chunk)]).answer).toContain(
    'Tar the hull; takes about a day: tar: brush --tar hull',
  );
});
