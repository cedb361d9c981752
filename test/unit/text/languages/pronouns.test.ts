import { expect, it } from 'vitest';
import { leadingPronoun } from '../../../../src/text/languages/pronouns.ts';

it.each([
  'It opens at nine.',
  'これを説明するには十分です。',
  'この弁は水を止めます。',
  '这个阀门关水。',
  '它由绞盘关闭。',
  '이것은 밸브입니다.',
  'Це зачиняє шлюз.',
  'Bu vana suyu keser.',
  'Αυτή η βάνα κλείνει.',
  'Hän avaa portin.',
])('stands for something said before: %s', (sentence) => {
  expect(leadingPronoun.test(sentence)).toBe(true);
});

it.each(['Italy opens at nine.', '其实阀门很旧。', '其他阀门很旧。', 'Bushel', '이름은 밸브입니다.', 'цех закрыт'])(
  'stands for nothing: %s',
  (sentence) => {
    expect(leadingPronoun.test(sentence)).toBe(false);
  },
);
