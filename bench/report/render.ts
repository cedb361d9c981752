/** Sections as Markdown and as one page that needs nothing else. */
import { darkTheme, escapeXml, lightTheme, plotElement, plotFile, plotRules } from '../../src/internal.ts';
import type { Plot } from './plot.ts';
import { provenanceOf, type ReportSection, type ReportTable } from './sections.ts';

/** What a bench printed that has no run file. */
export interface ReportNote {
  readonly title: string;
  readonly command: string;
  readonly text: string;
}

const NOTES = 'As printed';
const WIDE = 720;
const NARROW = 340;

/** A plot as a file of its own. */
export function plotToFile({ id, title, description, draw }: Plot): string {
  const { height, body } = draw(WIDE);
  return plotFile({ id, width: WIDE, height, title, description }, body);
}

export function toMarkdown(
  sections: readonly ReportSection[],
  plotPath: (plot: Plot) => string,
  notes: readonly ReportNote[] = [],
): string {
  const lines = ['# Bench report', ''];
  for (const { title, run, parts, skipped } of sections) {
    lines.push(`## ${title}`, '');
    for (const [name, value] of provenanceOf(run)) lines.push(`- ${name}: ${cell(value)}`);
    lines.push('');
    for (const part of parts) {
      lines.push(`### ${cell(part.title)}`, '');
      if (part.note !== undefined) lines.push(cell(part.note), '');
      for (const plot of part.plots) lines.push(`![${cell(plot.title)}](${plotPath(plot)})`, '');
      lines.push(...markdownTable(part.table), '');
    }
    if (skipped.length > 0) {
      lines.push('Not measured:', '', ...skipped.map(({ what, reason }) => `- ${cell(what)}: ${cell(reason)}`), '');
    }
  }
  if (notes.length > 0) lines.push(`## ${NOTES}`, '');
  for (const { title, command, text } of notes)
    lines.push(`### ${cell(title)}`, '', `\`${command}\``, '', '~~~text', text.replaceAll('~~~', '---'), '~~~', '');
  return `${lines.join('\n').trimEnd()}\n`;
}

export function markdownTable({ head, rows }: ReportTable): string[] {
  const numeric = head.map((_, i) => isNumeric({ head, rows }, i));
  return [
    `| ${head.map(cell).join(' | ')} |`,
    `| ${numeric.map((right) => (right ? '--:' : '---')).join(' | ')} |`,
    ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`),
  ];
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function isNumeric({ rows }: ReportTable, column: number): boolean {
  const filled = rows.map((row) => row[column] ?? '').filter((value) => value !== '');
  return filled.length > 0 && filled.every((value) => /^[−+-]?[\d.,]/.test(value));
}

const pageRules = [
  ':root{color-scheme:light dark}',
  '*{box-sizing:border-box}',
  'body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}',
  'main{max-width:800px;margin:0 auto;padding:32px 16px 80px}',
  'h1{font-size:1.9rem;line-height:1.2;margin:0 0 8px}h2{font-size:1.4rem;margin:56px 0 8px;padding-top:16px;border-top:2px solid var(--grid)}h3{font-size:1.1rem;margin:36px 0 4px;overflow-wrap:anywhere}',
  'p{margin:4px 0 12px;color:var(--muted)}a{color:var(--c0)}',
  'nav ul{list-style:none;padding:0;margin:12px 0;display:flex;flex-wrap:wrap;gap:6px 18px}',
  'dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 14px;margin:8px 0 0;font-size:.86rem}dt{color:var(--muted)}dd{margin:0;overflow-wrap:anywhere}',
  'figure{margin:20px 0 4px}figcaption{font-weight:600;font-size:.95rem;margin-bottom:6px;overflow-wrap:anywhere}',
  'figure svg{display:block;margin-left:-12px;max-width:calc(100% + 24px);height:auto}.narrow{display:none!important}',
  'details{margin:8px 0 0}summary{cursor:pointer;color:var(--muted);font-size:.9rem;padding:6px 0}',
  '.scroll{overflow-x:auto;border:1px solid var(--grid);border-radius:6px}.scroll:focus-visible,summary:focus-visible,a:focus-visible{outline:2px solid var(--c0);outline-offset:2px}',
  'table{border-collapse:collapse;font-size:.84rem;width:100%;font-variant-numeric:tabular-nums}th,td{padding:5px 10px;text-align:left;white-space:nowrap;border-bottom:1px solid var(--grid)}th{color:var(--muted);font-weight:600}tbody tr:last-child td,tbody tr:last-child th{border-bottom:0}tbody th{color:var(--ink);font-weight:500}.n{text-align:right}',
  'pre{margin:0;padding:10px 12px;font-size:.78rem;line-height:1.4}code{overflow-wrap:anywhere;font-size:.84rem}',
  'ul.skipped{padding-left:20px;color:var(--muted);font-size:.9rem}ul.skipped li{overflow-wrap:anywhere}',
  '@media(max-width:767px){.wide{display:none!important}.narrow{display:block!important}main{padding:20px 12px 60px}}',
].join('');

/** @returns an HTML document without scripts and without anything to load */
export function toHtml(sections: readonly ReportSection[], notes: readonly ReportNote[] = []): string {
  const style = `:root{${lightTheme}}@media(prefers-color-scheme:dark){:root{${darkTheme}}}${pageRules}${plotRules}`;
  const named = [...sections, ...(notes.length > 0 ? [{ id: 'notes', title: NOTES }] : [])];
  const links = named.map(({ id, title }) => `<li><a href="#${id}">${escapeXml(title)}</a></li>`).join('');
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`,
    '<link rel="icon" href="data:,">',
    '<title>ibid: bench report</title>',
    `<style>${style}</style></head><body><main>`,
    '<h1>Bench report</h1><p>Every plot has its figures in the table below it. Colours follow your light or dark setting.</p>',
    `<nav aria-label="Sections"><ul>${links}</ul></nav>`,
    ...sections.map(sectionHtml),
    ...(notes.length > 0 ? [notesHtml(notes)] : []),
    '</main></body></html>',
    '',
  ].join('\n');
}

function sectionHtml({ id, title, run, parts, skipped }: ReportSection): string {
  const facts = provenanceOf(run).map(([name, value]) => `<dt>${escapeXml(name)}</dt><dd>${escapeXml(value)}</dd>`);
  const left = skipped.map(({ what, reason }) => `<li>${escapeXml(what)}: ${escapeXml(reason)}</li>`);
  return [
    `<section aria-labelledby="${id}"><h2 id="${id}">${escapeXml(title)}</h2>`,
    `<details><summary>Where these figures come from</summary><dl>${facts.join('')}</dl></details>`,
    ...parts.map((part) =>
      [
        `<h3>${escapeXml(part.title)}</h3>`,
        part.note === undefined ? '' : `<p>${escapeXml(part.note)}</p>`,
        ...part.plots.map(figureHtml),
        part.plots.length > 0
          ? `<details><summary>The figures of ${escapeXml(part.title)}</summary>${tableHtml(part.table, part.title)}</details>`
          : tableHtml(part.table, part.title),
      ].join('\n'),
    ),
    left.length > 0 ? `<h3>Not measured</h3><ul class="skipped">${left.join('')}</ul>` : '',
    '</section>',
  ].join('\n');
}

function notesHtml(notes: readonly ReportNote[]): string {
  const each = notes.map(
    ({ title, command, text }) =>
      `<h3>${escapeXml(title)}</h3><p><code>${escapeXml(command)}</code></p><div class="scroll" tabindex="0" role="region" aria-label="What ${escapeXml(title)} printed"><pre>${escapeXml(text)}</pre></div>`,
  );
  return `<section aria-labelledby="notes"><h2 id="notes">${NOTES}</h2>${each.join('\n')}</section>`;
}

function figureHtml(plot: Plot): string {
  const { id, title, description } = plot;
  const drawn = (width: number, className: string): string => {
    const { height, body } = plot.draw(width);
    return `<div class="${className}">${plotElement({ id: `${id}-${className}`, width, height, title, description }, body)}</div>`;
  };
  return `<figure><figcaption>${escapeXml(title)}</figcaption>${drawn(WIDE, 'wide')}${drawn(NARROW, 'narrow')}</figure>`;
}

function tableHtml(table: ReportTable, title: string): string {
  const right = table.head.map((_, i) => (isNumeric(table, i) ? ' class="n"' : ''));
  const head = table.head.map((name, i) => `<th scope="col"${right[i]}>${escapeXml(name)}</th>`).join('');
  const rows = table.rows.map((row) => {
    const cells = row.map((value, i) =>
      i === 0 ? `<th scope="row">${escapeXml(value)}</th>` : `<td${right[i]}>${escapeXml(value)}</td>`,
    );
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<div class="scroll" tabindex="0" role="region" aria-label="Figures of ${escapeXml(title)}"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}
