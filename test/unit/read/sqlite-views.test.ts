import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { tempFolder } from '../../support/temp.ts';
import { parse } from './helpers.ts';

function databaseOf(sql: string): Uint8Array {
  const path = join(tempFolder({}), 'boats.sqlite');
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
  return readFileSync(path);
}

const boats = `CREATE TABLE boat (name TEXT, berth TEXT); INSERT INTO boat VALUES ('Falke', 'A1'), ('Hummel', 'B2');
  CREATE TABLE fee (berth TEXT, eur REAL); INSERT INTO fee VALUES ('A1', 40.5), ('B2', 55);`;

test('a view is a table with its own names, behind the tables', async () => {
  const { text, warnings, blocks } = await parse(
    'boats.sqlite',
    databaseOf(
      `${boats} CREATE VIEW a_price AS SELECT name AS boat_name, eur AS price FROM boat JOIN fee USING (berth)`,
    ),
  );
  expect(text.split('\n\n').slice(-2)).toEqual(['a_price', 'boat_name | price\nFalke | 40.5\nHummel | 55']);
  expect(blocks.filter(({ kind }) => kind === 'table')).toHaveLength(3);
  expect(warnings).toEqual([]);
});

test('a view without an end costs nothing but itself, and is named', async () => {
  const numbers = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)';
  const { text, warnings } = await parse(
    'boats.sqlite',
    databaseOf(`${boats}
      CREATE VIEW counted AS ${numbers} SELECT count(*) FROM n;
      CREATE VIEW listed AS ${numbers} SELECT 'row ' || x AS x FROM n;
      CREATE VIEW moored AS SELECT name FROM boat WHERE berth = 'B2';
      CREATE VIEW torn AS SELECT * FROM gone`),
  );
  expect(text).toContain('moored\n\nname\nHummel');
  expect(text).toContain('row 20000');
  expect(text).not.toContain('row 20001');
  expect(warnings.map(({ code }) => code)).toEqual(['VIEW_LEFT_OUT', 'VIEW_LEFT_OUT', 'VIEW_LEFT_OUT']);
  expect(warnings.map(({ message }) => message).join('\n')).toMatch(
    /^view "counted": it takes too long\nview "listed": rows after the first 20000 are left out\nview "torn": .*gone/,
  );
});
