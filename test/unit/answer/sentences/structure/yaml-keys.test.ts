import { describe, expect, it } from 'vitest';
import { headingsOver } from '../../../../../src/answer/sentences/structure/headings.ts';
import { unitsOf } from '../../../../../src/answer/sentences/structure/units.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';

function over(text: string): string[] {
  const units = unitsOf(text, 'yaml');
  const { paths } = headingsOver(text, units, [], 'yaml');
  return units.map(({ start, end }, i) => `${paths[i]!.join('.')} | ${text.slice(start, end)}`);
}

const harbour = `# Settings of the harbour
lock:
  gates: 4
  # These ships never wait.
  exempt:
    - Ferry
    - Pilot
  # Nights are quiet.
  horn: off
cranes:
- name: north
  load: 40
- name: south
  load: 25
`;

describe('keys of YAML', () => {
  it('stand over what is below them; a comment stands over nothing but the whole file', () => {
    expect(over(harbour)).toEqual([
      ' | # Settings of the harbour',
      'Settings of the harbour | lock:\n  gates: 4',
      'Settings of the harbour.lock | # These ships never wait.',
      'Settings of the harbour.lock | exempt:\n    - Ferry\n    - Pilot',
      'Settings of the harbour.lock | # Nights are quiet.',
      'Settings of the harbour.lock | horn: off',
      'Settings of the harbour | cranes:',
      'Settings of the harbour.cranes | - name: north\n  load: 40',
      'Settings of the harbour.cranes | - name: south\n  load: 25',
    ]);
  });

  it('are the names of items too, over what stands further in', () => {
    expect(over('cranes:\n  - name: north\n    load:\n      most: 40\n    left: 1\n  - name: south\n')).toEqual([
      ' | cranes:',
      'cranes | - name: north\n    load:\n      most: 40',
      'cranes.north | left: 1',
      'cranes | - name: south',
    ]);
  });

  it('are known in quotes, with an anchor, and over a text of several lines', () => {
    expect(over('on:\n  "push": &p\n    tags: v*\n  pull: 1\n  text: |\n    a: b\nend: 1\n')).toEqual([
      ' | on:\n  "push": &p\n    tags: v*',
      'on | pull: 1\n  text: |\n    a: b',
      ' | end: 1',
    ]);
  });

  it('are said before what stands below them, with a list and its comment', () => {
    const hits = [hitOf(chunkOf(harbour, { format: 'yaml', uri: 'lock.yaml', title: 'lock' }))];
    expect(ask('Which ships are exempt at the lock?', hits).answer).toContain(
      'lock: These ships never wait: exempt: - Ferry - Pilot',
    );
    expect(ask('What is the load of the south crane?', hits).answer).toContain('cranes: - name: south load: 25');
  });
});
