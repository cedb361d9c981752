import type { Block } from '../core/types.ts';

/** Titles of reference sections, lower case, without numbering or punctuation. */
const REFERENCE_TITLES = new Set([
  'references',
  'reference list',
  'references cited',
  'references and notes',
  'notes and references',
  'list of references',
  'bibliography',
  'bibliographic references',
  'works cited',
  'literature',
  'literature cited',
  'citations',
  'sources',
  'sources and further reading',
  'see also',
  'external links',
  'further reading',
  'related links',
  'related articles',
  'related pages',
  'related topics',
  'related documents',
  'related work links',
  'links',
  'footnotes',
  'endnotes',
  'resources',
  'additional resources',
  'further resources',
  'learn more',
  'related rules',
  // German, French, Spanish, Portuguese, Italian, Dutch
  'literatur',
  'literaturverzeichnis',
  'quellen',
  'quellenverzeichnis',
  'einzelnachweise',
  'siehe auch',
  'weblinks',
  'weiterführende literatur',
  'referenzen',
  'références',
  'bibliographie',
  'voir aussi',
  'liens externes',
  'notes et références',
  'pour en savoir plus',
  'articles connexes',
  'referencias',
  'bibliografía',
  'véase también',
  'enlaces externos',
  'referências',
  'bibliografia',
  'ver também',
  'ligações externas',
  'referências bibliográficas',
  'ver también',
  'riferimenti',
  'voci correlate',
  'collegamenti esterni',
  'note bibliografiche',
  'referenties',
  'zie ook',
  'externe links',
  'literatuur',
  // Swedish, Danish, Norwegian, Finnish, Polish, Czech, Turkish
  'referenser',
  'se även',
  'källor',
  'se også',
  'kilder',
  'litteratur',
  'viitteet',
  'lähteet',
  'katso myös',
  'bibliografia i źródła',
  'przypisy',
  'zobacz też',
  'linki zewnętrzne',
  'reference',
  'literatura',
  'kaynakça',
  'ayrıca bakınız',
  // Russian, Ukrainian, Greek, Japanese, Chinese, Korean
  'литература',
  'список литературы',
  'источники',
  'см. также',
  'смотри также',
  'ссылки',
  'примечания',
  'джерела',
  'посилання',
  'βιβλιογραφία',
  'αναφορές',
  'δείτε επίσης',
  '参考文献',
  '参考資料',
  '関連項目',
  '外部リンク',
  '脚注',
  '出典',
  '参考资料',
  '參考文獻',
  '参见',
  '參見',
  '外部链接',
  '外部連結',
  '参照',
  '참고문헌',
  '참고 문헌',
  '같이 보기',
  '외부 링크',
  '각주',
]);
/**
 * Ambiguous titles: `reference` is also the title of an API reference. The content must look like links or citations.
 */
const DOUBTFUL = new Set([
  'reference',
  'sources',
  'links',
  'resources',
  'literature',
  'notes',
  'learn more',
  'citations',
  '参照',
  'footnotes',
]);

/**
 * Marks blocks under a heading such as "References" or "See also" as `reference`, because they match many questions and
 * answer none. The section ends at the next heading of the same or a higher level. Headings stay headings.
 * @returns the same array when nothing changed
 */
export function markReferences(text: string, blocks: readonly Block[]): readonly Block[] {
  let out: Block[] | undefined;
  let inside: { level: number; doubtful: boolean } | undefined;
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i]!;
    if (block.kind === 'heading') {
      const level = block.level ?? 1;
      const title = plainTitle(block.label ?? text.slice(block.start, block.end));
      if (REFERENCE_TITLES.has(title)) inside = { level, doubtful: DOUBTFUL.has(title) };
      else if (inside && level <= inside.level) inside = undefined;
      continue;
    }
    if (!inside || block.kind === 'reference' || block.kind === 'code') continue;
    if (inside.doubtful && !pointsElsewhere(text.slice(block.start, Math.min(block.end, block.start + 2000)))) continue;
    out ??= [...blocks];
    out[i] = { start: block.start, end: block.end, kind: 'reference' };
  }
  return out ?? blocks;
}

function plainTitle(title: string): string {
  if (title.length > 80) return '';
  return title
    .toLowerCase()
    .replace(/^[\s#*=>]*(?:(?:\d+|[ivxlc]+)(?:\.\d+)*[.)]?\s+)?/u, '')
    .replace(/[\s:：.*#=¶]+$/u, '')
    .trim();
}

/** Whether at least every second line has a link, a year in brackets or an entry number. */
function pointsElsewhere(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const hits = lines.filter((line) =>
    /https?:\/\/|www\.|\]\(|\bdoi\b|\(\d{4}[a-z]?\)|^\s*\[\d+\]|\^/.test(line),
  ).length;
  return hits * 2 >= lines.length;
}
