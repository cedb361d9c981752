import { createParser } from 'eventsource-parser';
import type { ServerEvent } from './contract.ts';
import { Utf8 } from './utf8.ts';

/** Bytes → the events or lines they complete; `end` gives what stands complete without its last line end. */
export interface Splitter<T> {
  write(chunk: Uint8Array): T[];
  end(): T[];
}

const same = (text: string): string => text;

/** One event or line is larger than what was allowed. */
export class PieceTooLarge extends Error {}

/**
 * Server-sent events of a byte stream, any chunking, LF, CRLF or CR.
 *
 * The standard drops an event whose blank line is missing at the end of the stream. Services close right after `data:
 * [DONE]`, so here such an event is given when its last line is complete or is that marker; anything else is a cut and
 * left to whoever knows the last event.
 * @param admit each event's text, changed where it has to be
 * @throws PieceTooLarge when an event has more than `limit` characters
 */
export function eventSplitter(limit: number, admit: (text: string) => string = same): Splitter<ServerEvent> {
  const utf8 = new Utf8();
  let found: ServerEvent[] = [];
  let tail = '';
  let tooLarge = false;
  const parser = createParser({
    maxBufferSize: limit,
    onEvent: ({ event, data }) =>
      void found.push({ event: event === undefined ? '' : admit(event), data: admit(data) }),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') tooLarge = true;
    },
  });
  const feed = (text: string): ServerEvent[] => {
    if (text !== '') {
      parser.feed(text);
      if (tooLarge) throw new PieceTooLarge(`an event is over ${limit} characters`);
      tail = text.length >= 16 ? text.slice(-16) : (tail + text).slice(-16);
    }
    const events = found;
    found = [];
    return events;
  };
  return {
    write: (chunk) => feed(utf8.write(chunk)),
    end: () => {
      const events = feed(utf8.end());
      // Two line feeds, for the parser takes the first for the second half of a CRLF when the text ended in CR.
      return /([\r\n]|\[DONE\])$/.test(tail) ? [...events, ...feed('\n\n')] : events;
    },
  };
}
