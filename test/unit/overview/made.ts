import type { OverviewScript, ScriptSource } from '../../../src/overview/script.ts';
import type { SpokenScript } from '../../../src/overview/spoken-script.ts';
import { pcm, wav } from '../../support/sound.ts';

const source = (n: number, title: string, quote: string): ScriptSource => ({
  ...{
    n,
    reference: `docs/${n}.md#0-${quote.length}`,
    uri: `docs/${n}.md`,
    title,
    quote,
    headings: ['Part', 'Section'],
  },
  ...{ span: { start: 0, end: quote.length }, place: { lines: [1, 2] }, verified: true, origin: 'local' },
});

/** A script whose documents try everything to become part of the page. */
export const hostileText: string = [
  `</script><script>document.title = 'taken'</script>`,
  `<img src=x onerror="document.title = 'taken'">`,
  `"><svg/onload=document.title='taken'>`,
  `' autofocus onfocus='document.title=1`,
  `<style>body { display: none }</style>`,
  '&lt;b&gt; --> ]]> {{7*7}} \u202Eevil\u202C',
].join(' ');

export const script: OverviewScript = {
  title: `What the documents say ${hostileText}`,
  turns: [
    { voice: 'A', sentences: [{ text: 'This is what the documents say.', citations: [] }] },
    {
      voice: 'B',
      sentences: [
        { text: 'Raw data are kept for five years.', citations: [1] },
        { text: `It says ${hostileText}.`, citations: [1, 2] },
      ],
    },
    { voice: 'A', sentences: [{ text: 'Averages are kept for ever.', citations: [2] }] },
  ],
  sources: [source(1, 'Data retention', 'Raw data are kept\nfor five years.'), source(2, hostileText, hostileText)],
};

/** Each sentence takes a second. */
export const spoken: SpokenScript = {
  audio: wav(pcm(4000)),
  ...{ mediaType: 'audio/wav', sampleRate: 8000 },
  seconds: 4,
  sentences: [
    { turn: 0, sentence: 0, fromMs: 0, toMs: 1000 },
    { turn: 1, sentence: 0, fromMs: 1000, toMs: 2000 },
    { turn: 1, sentence: 1, fromMs: 2000, toMs: 3000 },
    { turn: 2, sentence: 0, fromMs: 3000, toMs: 4000 },
  ],
  usage: { speaker: 'tone', turns: 3, characters: 100, seconds: 4 },
};
