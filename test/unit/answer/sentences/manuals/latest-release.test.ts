import { expect, it } from 'vitest';
import type { Answer } from '../../../../../src/answer/contract.ts';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { compareVersions, releaseAt } from '../../../../../src/answer/sentences/structure/release-line.ts';
import { releaseEndAsked } from '../../../../../src/text/languages/latest-release.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const log = `# Lantern changes

## [Unreleased]

- Blue lamps.

## [2.10.0] - 2026-04-02

### Added

- Green lamps.

### Fixed

- The wick no longer smokes.

## [2.9.1] - 2026-02-11

### Added

- A brass lid.

## [2.9.0-rc.1] - 2025-12-20

- Grey lamps.
`;

function ask(question: string, text = log, { isWhole = true, title = 'Lantern changes', position = 0 } = {}): Answer {
  const uri = 'docs/changes.md';
  const hit = hitOf({ ...chunkOf(text, { title, uri, headings: [] }), position });
  const options = { sentences: 3, refuseBelow: 0, answerFrom: 1 };
  return answerExtractive(question, [hit], statisticsOf([text]), options, new Set(isWhole ? [uri] : []));
}

/** What is said plainly, without the numbers of the citations. */
const said = (answer: Answer): string =>
  answer.confidence === 'high' ? answer.answer.replaceAll(/ \[\d+\]/gu, '') : '';

const latest = '2.10.0 - 2026-04-02';

it.each([
  ['What is the latest version of Lantern?', latest],
  ['When was the last release of Lantern?', latest],
  ['Which version of Lantern is the newest?', latest],
  ['Welche ist die neueste Version von Lantern?', latest],
  ['Quelle est la dernière version de Lantern ?', latest],
  ['¿Cuál es la última versión de Lantern?', latest],
  ['What was the first release of Lantern?', '2.9.1 - 2026-02-11'],
  ['Which version of Lantern came out first?', '2.9.1 - 2026-02-11'],
])('the place of a release in a history: %s', (question, release) => {
  expect(said(ask(question))).toMatch(new RegExp(`^\\[?${release.replace(' - ', '\\]? - ')}$`, 'u'));
});

it('the changes of that release alone answer what is new in it', () => {
  const all = said(ask('What is new in the latest version of Lantern?'));
  expect(all).toMatch(/Green lamps\..*The wick no longer smokes\./su);
  expect(all).not.toMatch(/Blue|brass|Grey/u);
  const fixed = said(ask('What was fixed in the latest version of Lantern?'));
  expect(fixed).toContain('The wick no longer smokes.');
  expect(fixed).not.toContain('Green');
  expect(said(ask('What was removed in the latest version of Lantern?'))).toBe('');
  const older = '# Lantern\n\n## 2.1\n\n- Lamps.\n\n## 2.0\n\n- Fixed: the wick of the lantern smokes.\n';
  const fixedBefore = answerExtractive(
    'What was fixed in the latest version of Lantern?',
    [hitOf(chunkOf(older, { title: 'Lantern', uri: 'log.md', headings: [] }))],
    statisticsOf([older]),
    { refuseBelow: 0, answerFrom: 0 },
    new Set(['log.md']),
  );
  expect(fixedBefore.confidence).toBe('low');
});

it('is not told of another thing, nor where the change log may go on', () => {
  expect(said(ask('What is the latest version of Sextant?'))).toBe('');
  expect(said(ask('What is the first version of Lantern?', log, { isWhole: false }))).toBe('');
  // the versions at the beginning go down
  expect(said(ask('What is the latest version of Lantern?', log, { isWhole: false }))).toContain('2.10.0');
  expect(said(ask('What is the latest version of Lantern?', log, { isWhole: false, position: 3 }))).toBe('');
  const upward = '# Lantern\n\n## 1.0\n\n- Lamps.\n\n## 1.1\n\n- Lids.\n';
  expect(said(ask('What is the latest version of Lantern?', upward))).toBe('1.1');
  expect(said(ask('What is the latest version of Lantern?', upward, { isWhole: false }))).toBe('');
  expect(said(ask('When was the latest release of Lantern?', upward))).toBe(''); // no day
});

it('knows the thing by what the change log says above its releases', () => {
  const plain = '# Changelog\n\nAll notable changes to the Lantern are told here.\n\n## 2.1\n\n- Sextants.\n';
  const of = (question: string): string => said(ask(question, plain, { title: 'Changelog' }));
  expect(of('What is the latest version of Lantern?')).toBe('2.1');
  expect(of('What is the latest version of Sextants?')).toBe('');
});

it('leaves in doubt what has no version', () => {
  const page = 'The latest version of Lantern is kept in the shed under GPL-3.0. Lamps hang there.';
  const answer = (question: string): string =>
    answerExtractive(question, [hitOf(chunkOf(page, { title: 'Lantern' }))], statisticsOf([page]), {
      refuseBelow: 0,
      answerFrom: 0,
    }).confidence;
  expect(answer('What is the latest version of Lantern?')).toBe('low');
  expect(answer('Where is the latest version of Lantern kept?')).toBe('high');
});

/** What is said of change logs by their addresses, each whole. */
function saidOf(question: string, logs: Readonly<Record<string, string>>, title = 'Changes'): string {
  const hits = Object.entries(logs).map(([uri, text]) => hitOf(chunkOf(text, { title, uri, headings: [] })));
  const options = { sentences: 3, refuseBelow: 0, answerFrom: 1 };
  return said(answerExtractive(question, hits, statisticsOf(Object.values(logs)), options, new Set(Object.keys(logs))));
}

const logOf = (...versions: readonly string[]): string =>
  ['# Changes', ...versions.map((version) => `## ${version} (2026-04-02)\n\n- Lamps of ${version}.`)].join('\n\n');

it.each([
  ['notes of one release each', ['lantern/2.9/news.md', 'lantern/2.10/news.md'], '2.10 (2026-04-02)'],
  ['an older history beside it', ['lantern/HISTORY.md', 'lantern/CHANGELOG.md'], '2.10 (2026-04-02)'],
  ['of a part of it', ['lantern/CHANGELOG.md', 'lantern/parts/lid/CHANGELOG.md'], '2.9 (2026-04-02)'],
  ['of two parts', ['lantern/lid/CHANGELOG.md', 'lantern/wick/CHANGELOG.md'], ''],
])('of several change logs takes those of the thing itself: %s', (_, [one, other], release) => {
  const logs = { [one!]: logOf('2.9'), [other!]: logOf('2.10') };
  expect(saidOf('What is the latest version of Lantern?', logs)).toBe(release);
});

it('takes none of two things where nothing is named, nor a table beside them', () => {
  const logs = { 'lantern/changes.md': logOf('2.9'), 'sextant/changes.md': logOf('1.4') };
  expect(saidOf('What is the latest version?', logs)).toBe('');
  const table = '# Rules\n\n| Version | Day |\n|---|---|\n| 1 | 2023-01-02 |\n| 2 | 2024-01-02 |\n';
  expect(saidOf('What is the latest version?', { 'rules.md': table })).toContain('2024-01-02');
  expect(saidOf('What is the latest version?', { ...logs, 'rules.md': table })).toBe('');
  expect(saidOf('What is the latest version?', { 'changes.md': logOf('2.9'), 'rules.md': table })).toBe(
    '2.9 (2026-04-02)',
  );
});

it('reads what stands below a release that no mark of a heading shows', () => {
  const packaged = `lantern (2.1-2) unstable; urgency=low

  * Built with the new wick.
  * The old lid is gone.

 -- Ann Moor <ann@quay.example>  Tue, 14 Jan 2025 09:12:44 +0100

lantern (2.1-1) unstable; urgency=low

  * Lamps.

 -- Ann Moor <ann@quay.example>  Mon, 02 Dec 2024 18:00:00 +0100
`;
  const logs = { 'lantern/changelog': packaged };
  expect(saidOf('What changed in the latest version of Lantern?', logs)).toBe(
    'Built with the new wick. The old lid is gone.',
  );
  expect(saidOf('When was the latest release of Lantern?', logs)).toMatch(/^lantern \(2\.1-2\).* 14 Jan 2025/su);
  const notes = { 'lantern/notes-3.1.md': '# Lantern 3.1\n\nPublished on 15 April 2025.\n\n- Lamps go out alone.\n' };
  expect(saidOf('What is new in the latest version of Lantern?', notes)).toBe('Lantern 3.1: Lamps go out alone.');
  expect(saidOf('When was the last release of Lantern?', notes)).toContain('Published on 15 April 2025.');
});

it('is the heading, whatever is said of the latest version elsewhere', () => {
  const said =
    'The latest version of the manual of Lantern is kept in the office. The latest version of Lantern is dear.';
  const logs = { 'lantern/changes.md': logOf('2.9', '2.8'), 'lantern/readme.md': said };
  expect(saidOf('What is the latest version of Lantern?', logs)).toBe('2.9 (2026-04-02)');
});

it.each([
  ['## [3.2.0](https://a.example/3.2.0) (2025-06-10)', '3.2.0', '2025-6-10'],
  ['v1.9 / 2024-02-03', '1.9', '2024-2-3'],
  ['Version 2.1', '2.1', ''],
  ['tallow (3.2.0-1) unstable; urgency=medium', '3.2.0-1', ''],
  ['## 2.0.0-rc.1', '2.0.0-rc.1', ''],
  ['### Lantern 5.1.0, erschienen am 12. Mai 2025', '5.1.0', '2025-5-12'],
  ['[3.2.0]: https://quay.example/3.2.0', undefined, undefined],
  ['2.1. Processing order', undefined, undefined],
  ['* deps: ropes@~6.16.0', undefined, undefined],
  ['License: GPL-3.0', undefined, undefined],
  ['deps: ropes@6.16.0', undefined, undefined],
  ['[2.1.0]: https://quay.example/2.1.0', undefined, undefined],
  ['- Reads files of version 2.1 faster than those of before.', undefined, undefined],
])('the line of a release: %s', (line, version, day) => {
  expect([releaseAt(line)?.version, releaseAt(line)?.day]).toEqual([version, day]);
});

it('compares versions by their numbers', () => {
  const order = ['1.0.0-rc.1', '1.0.0-rc.2', '1.0', '1.0.1', '1.9', '1.10', '2.0'].map((version) => ({
    version,
    day: '',
  }));
  expect([...order].reverse().sort(compareVersions)).toEqual(order);
});

it.each([
  'What is the latest check-in time?',
  'What happened last?',
  'Which version has dark mode?',
  'When was version 2.0 released?',
  'Who wrote the first book?',
  'Where is the latest version of Lantern kept?',
  'Who made the first version of Lantern?',
  'How do I install the latest release?',
  'What is the size of the latest version?',
])('asks for no release by its place: %s', (question) => {
  expect(releaseEndAsked(question)).toBe(undefined);
});
