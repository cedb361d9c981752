import { expect, it } from 'vitest';
import { killTranscriptions } from '../support/transcript-kills.ts';

it('transcribing that is killed pays again only for what was in flight', async () => {
  const { kills, midway, paidTwice, inFlight, wrong, requests, recordings } = await killTranscriptions(4, 20261123, 14);
  expect(wrong).toEqual([]);
  expect(midway, 'no kill fell between two answers, so the test has shown nothing').toBeGreaterThan(0);
  expect(paidTwice).toBe(0);
  expect(requests).toBe(recordings + inFlight);
  expect(kills).toBe(4);
}, 200_000);
