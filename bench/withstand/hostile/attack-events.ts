/** Attacks on streams of events: without an end, without a beginning, half of one, the wrong ones. */

import { withValue } from './attack-bodies.ts';
import { head, pick } from './attack-framing.ts';
import type { AttackTable } from './attacks.ts';
import type { Wire } from './front.ts';

const stream = head(200, { 'content-type': 'text/event-stream', connection: 'close' });

async function honestEvents(wire: Wire): Promise<string[]> {
  const { body } = await wire.honest();
  return body
    .toString('utf8')
    .split(/(?<=\n\n)/)
    .filter((event) => event !== '');
}

/** The honest events up to a place, then a piece over and over. */
const endless =
  (piece: (wire: Wire, events: readonly string[]) => string, everyMs = 3): AttackTable[string]['run'] =>
  async (wire) => {
    const events = await honestEvents(wire);
    await wire.write(stream + events.slice(0, Math.floor(wire.random() * events.length)).join(''));
    const repeated = piece(wire, events);
    for (;;) {
      await wire.write(repeated);
      await wire.pause(everyMs);
    }
  };

/** All honest events, changed. */
const changed =
  (change: (wire: Wire, events: string[]) => readonly string[]): AttackTable[string]['run'] =>
  async (wire) =>
    wire.write(stream + change(wire, await honestEvents(wire)).join(''));

const at = (wire: Wire, events: readonly string[]): number => Math.floor(wire.random() * events.length);
const inserted = (wire: Wire, events: string[], event: string): string[] =>
  events.toSpliced(at(wire, events), 0, event);

const errorEvent = (said: string): string => {
  const text = JSON.stringify(said);
  return `event: error\ndata: {"type":"error","error":{"type":${text},"message":${text},"code":${text}}}\n\n`;
};

export const events: AttackTable = {
  'comments without end': { run: endless(() => ': still here\n\n'.repeat(100)) },
  'pings without end': { run: endless(() => 'event: ping\ndata: {"type":"ping"}\n\n'.repeat(20)) },
  'one event over and over': {
    run: endless((wire, all) => pick(wire, all.length > 0 ? all : ['data: {}\n\n']).repeat(20)),
  },
  'blank lines without end': { run: endless(() => '\r\n'.repeat(1_000)) },
  'an event that never ends': { run: endless(() => `data: ${'x'.repeat(10_000)}\n`) },
  'a name that never ends': { run: endless(() => 'event: x\nid: y\nretry: 1\n'.repeat(200)) },
  'a field nobody knows, without end': { run: endless(() => 'z'.repeat(20_000)) },
  'a byte at a time': {
    run: async (wire) => {
      await wire.write(stream);
      for (const byte of Buffer.from((await honestEvents(wire)).join(''))) {
        await wire.write(Buffer.of(byte));
        await wire.pause(2);
      }
    },
  },
  'events, then silence': {
    run: async (wire) => {
      const all = await honestEvents(wire);
      await wire.write(stream + all.slice(0, at(wire, all)).join(''));
      await wire.pause(60_000);
    },
  },
  'half an event': { run: changed((wire, all) => [all.join('').slice(0, at(wire, [...all.join('')]))]) },
  'an end without an end': { run: changed((_, all) => all.slice(0, -1)) },
  'only the end': { run: changed((_, all) => all.slice(-1)) },
  'events in disorder': { run: changed((wire, all) => all.toSorted(() => wire.random() - 0.5)) },
  'events twice': { run: changed((_, all) => all.flatMap((event) => [event, event])) },
  'an event gone': { run: changed((wire, all) => all.toSpliced(at(wire, all), 1)) },
  'a strange value in an event': {
    run: changed((wire, all) => {
      const i = at(wire, all);
      const strange = ['null', '{}', '[]', '1e999', '-1', '""', '99999999', '{"__proto__":{"polluted":true}}'];
      return all.with(i, withValue(wire, all[i] ?? '', pick(wire, strange)));
    }),
  },
  'many levels in an event': {
    run: changed((wire, all) => inserted(wire, all, `data: ${'['.repeat(500_000)}${']'.repeat(500_000)}\n\n`)),
  },
  'an index of a billion': {
    run: changed((_, all) => all.map((event) => event.replace(/"index":\s*\d+/g, '"index":1000000000'))),
  },
  'no JSON in an event': { run: changed((wire, all) => inserted(wire, all, 'data: {"half":\n\n')) },
  'an error that says the key': { run: changed((wire, all) => inserted(wire, all, errorEvent(wire.key))) },
  'the key as every value of the events': {
    run: changed(({ key }, all) =>
      all.map((event) => event.replace(/(?<=:\s*)"(?:[^"\\]|\\.)*"/g, JSON.stringify(key))),
    ),
  },
  'events in a web page': {
    run: async (wire) => {
      const all = await honestEvents(wire);
      await wire.write(head(200, { 'content-type': 'text/html', connection: 'close' }) + all.join(''));
    },
  },
  'no events at all': { run: async (wire) => wire.write(stream) },
};
