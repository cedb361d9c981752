import { describe, expect, it } from 'vitest';
import { analyseQuery } from '../../../../src/text/analysis/query.ts';
import { askingParts, withoutAsking } from '../../../../src/text/languages/asking-parts.ts';

const rest = (text: string): string =>
  withoutAsking(text)
    .replace(/[\s?？。]+/g, ' ')
    .trim();

describe('what only asks', () => {
  it.each([
    ['スワップとは何ですか？', 'スワップ'],
    ['Debian プロジェクトを創設したのは誰ですか？', 'Debian プロジェクト 創設したの'],
    ['アーカイブは一日に何回更新されますか？', 'アーカイブ 一日 更新'],
    ['給料はいくらですか', '給料'],
    ['祭りの日程は何ですか', '祭り 日程'],
    ['なぜ木箱を開けてはいけないのですか？', '木箱 開け'],
    ['本を借りることができますか？', '本を借りる'],
    ['米はどうやって炊きますか？', '米は 炊き'],
    ['什么是交换分区？', '交换分区'],
    ['Debian 计划是哪一年创建的？', 'Debian 计划 创建'],
    ['Debian 包含多少个软件包？', 'Debian 包含 软件包'],
    ['澳大利亚的首都是哪里？', '澳大利亚 首都'],
    ['Qu’est-ce que le swap ?', 'le swap'],
    ["Qu'est-ce que c'est que la dérive ?", 'la dérive'],
    ['Che cos’è Hurd?', 'Hurd'],
    ["Dov'è il molo?", 'il molo'],
    ['Que fait la grue ?', 'la grue'],
    ['Qué hacen las grúas?', 'las grúas'],
    ['Was macht der Kran?', 'der Kran'],
    ['Wie oft wird der Kran gereinigt?', 'wird der Kran gereinigt'],
    ['Cosa vuol dire argano?', 'argano'],
    ['Que veut dire cabestan ?', 'cabestan'],
    ['What does capstan mean?', 'What does capstan'],
    ['What does the abbreviation HSL stand for?', 'What does HSL'],
    ['What is the meaning of the word capstan?', 'capstan'],
    ['What does the mean tide mean for ships?', 'What does the mean tide mean for ships'],
    ['เรือใบคืออะไร', 'เรือใบ'],
    ['ท่าเรืออยู่ที่ไหน', 'ท่าเรืออยู่'],
    ['มีเรือกี่ลำ', 'มีเรือ ลำ'],
    ['돛이란 무엇인가?', '돛이란'],
    ['배는 어디에 있는가?', '배는 있는가'],
    ['배의 이름은?', '배의'],
  ])('goes from %s', (question, subject) => {
    expect(rest(question)).toBe(subject);
  });

  it.each([
    'ネットワークの設定',
    '存储的密钥',
    'いつもの朝食',
    '目的地',
    'เรือใดๆ',
    '것은 배다',
    'Where is the pier?',
    'dove sono',
    'le bruit que fait la grue',
  ])('leaves %s, which does not ask, as it is', (text) => {
    expect(withoutAsking(text)).toBe(text);
  });

  it('leaves no letter alone where the index holds pairs', () => {
    // `値` alone is no term; with its neighbour it is one
    expect(rest('値は何ですか？')).toBe('値は');
  });

  it('keeps what is nothing but a question', () => {
    expect(withoutAsking('何ですか？')).toBe('何ですか？');
  });

  it('gives parts in order, without overlap, inside the text', () => {
    const text = 'Debian の新しいバージョンは何年間サポートされますか？';
    let last = 0;
    for (const { start, end } of askingParts(text)) {
      expect(start).toBeGreaterThanOrEqual(last);
      expect(end).toBeGreaterThan(start);
      last = end;
    }
    expect(last).toBeLessThanOrEqual(text.length);
  });

  it('is not searched for', () => {
    expect(analyseQuery('存档多久更新一次？').tokens).toEqual(['存档', '更新', '新一', '一次']);
    expect(analyseQuery('スワップとは何ですか？').tokens).toEqual(['スワ', 'ワッ', 'ップ']);
    expect(analyseQuery('Qu’est-ce que le swap ?').tokens).toEqual(['le', 'swap']);
  });
});
