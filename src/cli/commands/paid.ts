import type { EmbedUsage, TranscriptionUsage } from '../../index.ts';
import { say, tell } from '../say.ts';

const count = (value: number): string => value.toLocaleString('en');
const many = (value: number, noun: string): string => `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

/** Dollars, to the hundredth of a cent, and further where that would be nothing. */
export function usd(value: number): string {
  return `${value !== 0 && Math.abs(value) < 0.0001 ? value.toPrecision(2) : value.toFixed(4)} USD`;
}

/** `1 h 5 min`, `3 min 20 s`, `12 s`. */
export function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** What a run would send: a table for people. */
export function printForecast(
  { documents, chunks }: { readonly documents: number; readonly chunks: number },
  { requests, tokens, costUsd, cachedChunks, expected }: EmbedUsage,
): void {
  const rows: [string, string][] = [
    ['documents', count(documents)],
    ['chunks', `${count(chunks)}${cachedChunks > 0 ? `, ${count(cachedChunks)} of them paid for already` : ''}`],
    ['tokens', count(tokens)],
    ['requests', count(requests)],
    ['price', usd(costUsd)],
  ];
  if (expected && requests > 0) {
    const rate = `${count(expected.tokensPerMinute)} tokens a minute`;
    const from =
      expected.basis === 'measured'
        ? `at the last run's ${rate}`
        : `assuming 4 s a request, ${expected.concurrency} at a time`;
    rows.push(['time', `about ${duration(expected.ms)}, ${from}`]);
  }
  for (const [name, value] of rows) say(`${name.padEnd(11)}${value}`);
}

/** What a run has paid, in a line; and what it may have to pay besides. */
export function paidLines({ requests, chunks, cachedChunks, tokens, costUsd, fill, unanswered }: EmbedUsage): string[] {
  const lines = [
    `${many(requests, 'request')}, ${many(chunks, 'chunk')} sent, ${count(cachedChunks)} cached, ${many(tokens, 'token')}, ${usd(costUsd)}` +
      (fill > 0 ? `, requests ${Math.round(100 * fill)} % full` : ''),
  ];
  if (unanswered.attempts > 0) {
    lines.push(
      `${many(unanswered.attempts, 'attempt')} ended without an answer; the service may bill them: at most ${usd(unanswered.maxUsd)} more`,
    );
  }
  return lines;
}

/** What a run has paid before it failed, on stderr. */
export function tellPaid(usage: EmbedUsage | undefined): void {
  if (usage) for (const line of paidLines(usage)) tell(`paid: ${line}`);
}

/** What transcripts of a run have cost; in a dry run, what they would. */
export function transcriptionLine(usage: TranscriptionUsage): string {
  const { recordings, requests, seconds, cached, costUsd, unanswered, expected } = usage;
  const parts = [
    `${many(recordings, 'recording')} ${expected ? 'to transcribe' : 'transcribed'}`,
    `${many(requests, 'request')}, ${duration(seconds * 1000)} of sound`,
    ...(cached > 0 ? [`${count(cached)} paid for already`] : []),
    costUsd === undefined ? 'price not known (see --hour-price)' : usd(costUsd),
    ...(unanswered > 0 ? [`${many(unanswered, 'request')} without an answer, which may be billed`] : []),
  ];
  if (expected) {
    const from = expected.basis === 'measured' ? 'at the speed of earlier runs' : 'at 20 times real time';
    parts.push(`about ${duration(expected.ms)} ${from}`);
  }
  return parts.join(', ');
}
