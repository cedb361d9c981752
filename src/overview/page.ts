import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { objectOf } from '../core/arguments.ts';
import { describePath, describePlace } from '../core/describe-place.ts';
import { ownMarks } from '../core/own-files.ts';
import { ownAsset } from '../core/package-files.ts';
import { visibleText } from '../text/hidden.ts';
import { languageOf } from '../text/languages/detect.ts';
import { oneLine } from '../text/one-line.ts';
import type { OverviewScript, ScriptSource, ScriptTurn } from './script.ts';
import type { SpokenScript, SpokenSentence } from './spoken-script.ts';

const asset = (name: string): string => readFileSync(ownAsset(`overview/page/${name}`), 'utf8');
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * One HTML page with player, script and sources, which loads nothing: the sound stands in it. Only the one script and
 * style of ours may run; all text of documents is text.
 */
export function overviewPage(script: OverviewScript, sound: SpokenScript): string {
  objectOf(script, 'the script', 'turns', 'sources');
  objectOf(sound, 'the sound', 'audio', 'sentences');
  const style = asset('style.css');
  const code = asset('player.js');
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(code)}`,
    `style-src ${hashOf(style)}`,
    'media-src data:',
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const said = script.turns.flatMap(({ sentences }) => sentences.map(({ text }) => text)).join(' ');
  const language = languageOf(said);
  const title = html(oneLine(script.title));
  const source = `data:${sound.mediaType};base64,${Buffer.from(sound.audio.buffer, sound.audio.byteOffset, sound.audio.length).toString('base64')}`;
  const times = new Map(sound.sentences.map((one) => [`${one.turn} ${one.sentence}`, one]));
  return `<!doctype html>
<html lang="${language === 'und' ? '' : language}">
<head>
<meta charset="utf-8">
${ownMarks.html}
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p class="quiet">${clock(sound.seconds * 1000)}, two voices, made by ibid. Each number leads to the passage that says so; a sentence plays when it is clicked.</p>
</header>
<section class="player" aria-label="Player"><audio controls preload="metadata" aria-label="The conversation" src="${source}"></audio></section>
<main>
<section aria-label="Script">
${script.turns.map((turn, i) => turnHtml(turn, (sentence) => times.get(`${i} ${sentence}`))).join('\n')}
</section>
<section aria-labelledby="sources">
<h2 id="sources">Sources</h2>
<ol>
${script.sources.map(sourceHtml).join('\n')}
</ol>
</section>
</main>
<script type="module">${code}</script>
</body>
</html>
`;
}

function turnHtml({ voice, sentences }: ScriptTurn, timeOf: (sentence: number) => SpokenSentence | undefined): string {
  const spoken = sentences.map(({ text, citations }, i) => {
    const time = timeOf(i);
    const marks = citations.map((n) => `<a class="n" href="#s${n}" aria-label="source ${n}">${n}</a>`).join('');
    const at = time ? ` data-from="${Math.round(time.fromMs)}" data-to="${Math.round(time.toMs)}"` : '';
    return `<span class="sentence${citations.length === 0 ? ' phrase' : ''}"${at}>${html(text)}${marks}</span>`;
  });
  const begins = timeOf(0)?.fromMs ?? 0;
  const clockText = clock(begins);
  const button = `<button type="button" data-at="${Math.round(begins)}" aria-label="Play from ${clockText}">${clockText}</button>`;
  return `<div class="turn ${voice.toLowerCase()}"><div class="who">${voice} ${button}</div><p>${spoken.join(' ')}</p></div>`;
}

function sourceHtml({ n, reference, title, headings, place, quote }: ScriptSource): string {
  const where = [reference, describePlace(place)].filter((part) => part !== '').join(', ');
  return `<li id="s${n}"><strong>${n}. ${html(describePath({ title, headings }))}</strong><p class="quiet">${html(where)}</p><blockquote>${html(quote)}</blockquote></li>`;
}

/** Text that stays text, in elements and in quoted attributes. */
function html(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** `1:05`, `1:02:03`. */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const rest = `${Math.floor(seconds / 60) % 60}:${String(seconds % 60).padStart(2, '0')}`;
  return seconds < 3600 ? rest : `${Math.floor(seconds / 3600)}:${rest.padStart(5, '0')}`;
}
