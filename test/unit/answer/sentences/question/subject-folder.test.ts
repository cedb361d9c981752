import { describe, expect, it } from 'vitest';
import { relationTo, subjectFolders } from '../../../../../src/answer/sentences/question/subject-folder.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';

const hit = (uri: string, title: string, text = 'A text.') => hitOf(chunkOf(text, { uri, title }));

describe('folders that are called as what their documents are about', () => {
  it.each([
    ['hoist/README.md', 'hoist', 'Which licence does hoist have?', ['hoist/']],
    ['/a/hoist/README.md', 'hoist: lifts things', 'Is hoist free?', ['/a/hoist/']],
    ['a/@quay/hoist/README.md', '@quay/hoist', 'Is @quay/hoist free?', ['a/@quay/hoist/']],
    ['a/@quay/hoist/README.md', 'Hoist', 'Is @quay/hoist free?', ['a/@quay/hoist/']],
    ['a/hoist/README.md', 'hoist', 'What does the hoist package need?', ['a/hoist/']],
    ['a/hoist/README.md', 'hoist', 'Which licence does hoist-oil have?', []],
    ['a/hoist/README.md', 'hoist', 'Which licence does @quay/hoist have?', []],
    ['a/hoist/README.md', 'Changes', 'Which licence does hoist have?', []],
    ['a/which/README.md', 'which', 'Which licence does hoist have?', []],
    ['notes/notes.md', 'Notes', 'What do the notes say?', []],
    ['README.md', 'hoist', 'Which licence does hoist have?', []],
  ])('%s, %s: %s', (uri, title, question, expected) => {
    expect(subjectFolders(question, [hit(uri, title)]).map(({ prefix }) => prefix)).toEqual(expected);
  });

  it('tell their own passages from those of others', () => {
    const folders = subjectFolders('Is hoist free?', [hit('a/hoist/README.md', 'hoist')]);
    const relation = (uri: string, text: string) => relationTo(folders, hit(uri, 'T', text));
    expect(relation('a/hoist/LICENSE', 'Do as you like.')).toBe('own');
    expect(relation('a/crane/README.md', 'It works with hoist.')).toBe('named');
    expect(relation('a/crane/README.md', 'It works with hoist-oil.')).toBe('other');
    expect(relationTo([], hit('a/hoist/LICENSE', 'T'))).toBeUndefined();
  });

  it('of another one no answer is plain', () => {
    const about = hit('a/hoist/README.md', 'hoist', 'The hoist lifts things out of the harbour by a rope of hemp.');
    const licence = 'This project is licensed under the Heron licence.';
    const own = hit('a/hoist/LICENCE.md', 'Licence', licence);
    const other = hit('a/crane/README.md', 'crane', licence);
    const question = 'Under which licence is hoist published?';
    expect(ask(question, [other, about]).confidence).not.toBe('high');
    const answer = ask(question, [other, about, own]);
    expect(answer.citations[0]!.uri).toBe('a/hoist/LICENCE.md');
  });
});
