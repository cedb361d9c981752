import { describe, expect, it } from 'vitest';
import { loadManifests, parseManifest } from '../../../datasets/manifest.ts';

describe('manifests', async () => {
  const manifests = await loadManifests();

  it('are there for the usual collections', () => {
    expect([...manifests.keys()].sort()).toEqual(
      'arguana climate-fever dbpedia-entity fever fiqa hotpotqa msmarco nfcorpus nq quora scidocs scifact trec-covid webis-touche2020'.split(
        ' ',
      ),
    );
  });

  it('first and last are what was published', () => {
    expect(manifests.get('arguana')).toMatchObject({
      md5: '8ad3e3c2a5867cdced806d6503f29b99',
      counts: { corpus: 8674, judgedQueries: 1406 },
    });
    expect(manifests.get('webis-touche2020')).toMatchObject({
      md5: '46f650ba5a527fc69e0a6521c5a23563',
      counts: { judgements: 2214 },
    });
  });

  it('no checksum or address serves two of them', () => {
    expect(new Set([...manifests.values()].map((entry) => entry.md5)).size).toBe(manifests.size);
    for (const { name, url } of manifests.values()) expect(url).toMatch(new RegExp(`/${name}\\.zip$`));
  });

  it.each<[string, (value: Record<string, unknown>) => void, RegExp]>([
    ['a missing field', (value) => delete value.title, /"title" must be/],
    [
      'an unknown field',
      (value) => {
        value.colour = 'red';
      },
      /"colour" must be left out/,
    ],
    [
      'a short checksum',
      (value) => {
        value.md5 = 'abc';
      },
      /"md5" must be/,
    ],
    [
      'a count of 0',
      (value) => {
        value.counts = { corpus: 0, queries: 1, judgedQueries: 1, judgements: 1 };
      },
      /"counts\.corpus" must be/,
    ],
    [
      'a name that is a path',
      (value) => {
        value.name = '../x';
      },
      /"name" must be/,
    ],
    [
      'null without a reason',
      (value) => {
        value.sizeBytes = null;
      },
      /"notes" must be given/,
    ],
    [
      'no object',
      (value) => {
        value.licence = null;
      },
      /"licence" must be/,
    ],
  ])('%s is told', (_, spoil, message) => {
    const value: Record<string, unknown> = structuredClone({ ...manifests.get('scifact') });
    expect(() => parseManifest(value, 'x.json')).not.toThrow();
    spoil(value);
    expect(() => parseManifest(value, 'x.json')).toThrow(message);
  });
});
