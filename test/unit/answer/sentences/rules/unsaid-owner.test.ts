import { expect, it } from 'vitest';
import { isOfOtherOwner } from '../../../../../src/answer/sentences/rules/unsaid-owner.ts';
import { analysed } from './gaining.ts';

const table = (title: string, label: string): string =>
  `# ${title}\n\n水筒を洗う。水壶可洗。\n\n| 項目 | 値 |\n| --- | --- |\n| ${label} | 3 kg |\n`;

it.each([
  ['水筒の重量はいくらですか？', table('仕様', '重量'), true],
  ['水筒の重量はいくらですか？', table('水筒', '重量'), false],
  ['水筒の重量はいくらですか？', table('仕様', '水筒の重量'), false],
  ['重量はいくらですか？', table('仕様', '重量'), false],
  ['本体の重量はいくらですか？', table('仕様', '重量'), false], // the thing itself
  ['花瓶の重量はいくらですか？', table('仕様', '重量'), false], // nothing tells of it
  ['水壶的重量是多少？', table('规格', '重量'), true],
  ['水壶的重量是多少？', table('水壶', '重量'), false],
])('is of another owner: %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  const row = candidates.find(({ unit, passage }) => /3 kg/.test(passage.hit.chunk.text.slice(unit.start, unit.end)))!;
  expect(row.unit.kind).toBe('row');
  expect(isOfOtherOwner(asked, row)).toBe(expected);
});
