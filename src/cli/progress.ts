import { Presets, SingleBar } from 'cli-progress';
import type { IngestEvent } from '../index.ts';
import { tell } from './say.ts';
import { counted, printableLine } from './text.ts';

export interface ProgressReporter {
  handle(event: IngestEvent): void;
  /** Something worth knowing beside the files read; said now and then. */
  note(text: string): void;
  /** Something that happens once; never left out. */
  news(text: string): void;
  stop(): void;
}

/** A bar with rate and time left on a terminal, plain lines in a pipe, nothing with `--quiet`. All of it on stderr. */
export function progressReporter(options: { readonly quiet?: boolean | undefined }): ProgressReporter {
  if (options.quiet) return { handle: () => {}, note: () => {}, news: tell, stop: () => {} };
  return process.stderr.isTTY && process.env.TERM !== 'dumb' ? terminalReporter() : plainReporter();
}

function terminalReporter(): ProgressReporter {
  const bar = new SingleBar(
    {
      stream: process.stderr,
      format: '{bar} {percentage}% | {value}/{total} files | {rate} MB/s | {eta_formatted} left | {note}',
      // figures before the bar where it is narrow
      barsize: Math.max(5, Math.min(40, (process.stderr.columns ?? 80) - 60)),
      clearOnComplete: true,
      hideCursor: true,
      etaBuffer: 200,
      noTTYOutput: false,
      gracefulExit: true,
    },
    Presets.shades_classic,
  );
  let done = 0;
  let bytes = 0;
  let startedAt = performance.now();
  let running = false;
  const note = (text: string): void => {
    if (running) bar.update(done, { note: printableLine(text) });
    else tell(text);
  };
  const advance = (uri: string): void => {
    done++;
    if (!running) return;
    const seconds = (performance.now() - startedAt) / 1000;
    bar.update(done, { rate: (bytes / 2 ** 20 / Math.max(seconds, 0.001)).toFixed(1), note: tail(uri) });
  };
  const stop = (): void => {
    if (running) bar.stop();
    running = false;
  };
  return {
    stop,
    note,
    news: note,
    handle(event) {
      switch (event.type) {
        case 'planned':
          done = 0; // folders that could not be opened are none of the files
          if (event.read > 0) {
            startedAt = performance.now();
            bar.start(event.read, 0, { rate: '0.0', note: 'reading' });
            running = true;
          }
          break;
        case 'read':
          bytes += event.sizeBytes;
          advance(event.uri);
          break;
        case 'failed':
        case 'skipped':
          advance(event.uri);
          break;
        case 'training':
          note(trainingNote(event));
          break;
        case 'finishing':
          note('finishing');
          break;
        case 'done':
          stop();
          break;
        default:
      }
    },
  };
}

function plainReporter(): ProgressReporter {
  let total = 0;
  let done = 0;
  let saidAt = performance.now();
  const line = (text: string): void => {
    tell(text);
  };
  const advance = (): void => {
    done++;
    if (performance.now() - saidAt < 5000) return;
    saidAt = performance.now();
    line(`${done} of ${total} files`);
  };
  return {
    stop: () => {},
    news: line,
    note(text) {
      if (performance.now() - saidAt < 5000) return;
      saidAt = performance.now();
      line(text);
    },
    handle(event) {
      switch (event.type) {
        case 'planned':
          total = event.read;
          done = 0;
          line(
            `${counted(event.read, 'file')} to read, ${event.unchanged} unchanged, ${event.renamed} renamed, ${event.removed} removed`,
          );
          break;
        case 'read':
        case 'failed':
        case 'skipped':
          advance();
          break;
        case 'training':
          line(trainingNote(event));
          break;
        default:
      }
    },
  };
}

function trainingNote(event: Extract<IngestEvent, { type: 'training' }>): string {
  const why =
    event.reason === 'drift' ? 'the documents have outgrown the embedder; training it again' : 'training the embedder';
  return `${why} on ${counted(event.chunks, 'chunk')}`;
}

function tail(uri: string): string {
  const name = printableLine(uri);
  return name.length > 40 ? `…${name.slice(-39)}` : name;
}
