/** What can be told about an audio file without decoding it. */
export interface AudioFile {
  readonly bytes: Uint8Array;
  readonly filename: string;
  readonly seconds: number;
  readonly channels: number;
  /** All samples are 0. */
  readonly silent: boolean;
}

export interface HeardTurn {
  readonly speaker: number;
  readonly channel: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Words and audio events, these in brackets: `(laughter)`. */
  readonly text: string;
}

/** The ears of the service; given to it by tests that want to read something of their own. */
export type Transcriber = (file: AudioFile, options: { readonly languageCode: string }) => readonly HeardTurn[];

const lines = [
  'Hello there, and welcome to the meeting.',
  'Thank you. (laughter) Let us begin with the figures.',
  'The index holds twelve recordings and three reports.',
  'Which of them names the limit of a request?',
  'The second report does, on its last page.',
];

const SECONDS_PER_WORD = 0.4;

/**
 * Two speakers reading fixed lines in turn, each channel for itself, as long as the audio lasts; silence is heard as
 * nothing.
 */
export const readingTranscriber: Transcriber = ({ seconds, channels, silent }) => {
  if (silent) return [];
  const turns: HeardTurn[] = [];
  for (let channel = 0; channel < channels; channel++) {
    let at = 0.12;
    for (let line = channel; ; line++) {
      const words = lines[line % lines.length]!.split(' ');
      const fitting = words.slice(0, Math.floor((seconds - at) / SECONDS_PER_WORD));
      if (fitting.length === 0) break;
      const end = at + fitting.length * SECONDS_PER_WORD;
      turns.push({ speaker: line % 2, channel, startSeconds: at, endSeconds: end, text: fitting.join(' ') });
      at = end + 0.3;
    }
  }
  return turns;
};

/** WAV is measured by its header, 16 kHz PCM by its length; all else is taken for 128 kbit/s. */
export function inspect(bytes: Uint8Array, filename: string, rawPcm: boolean): AudioFile {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isWav =
    buffer.length >= 44 && buffer.toString('latin1', 0, 4) === 'RIFF' && buffer.toString('latin1', 8, 12) === 'WAVE';
  if (!isWav) {
    const silent = rawPcm && buffer.every((byte) => byte === 0);
    return { bytes, filename, seconds: buffer.length / (rawPcm ? 32_000 : 16_000), channels: 1, silent };
  }
  let channels = 1;
  let bytesPerSecond = 32_000;
  for (let at = 12; at + 8 <= buffer.length; ) {
    const size = buffer.readUInt32LE(at + 4);
    const name = buffer.toString('latin1', at, at + 4);
    if (name === 'fmt ') {
      channels = buffer.readUInt16LE(at + 10);
      bytesPerSecond = buffer.readUInt32LE(at + 16);
    } else if (name === 'data') {
      const data = buffer.subarray(at + 8, at + 8 + size);
      return {
        bytes,
        filename,
        seconds: data.length / bytesPerSecond,
        channels,
        silent: data.every((byte) => byte === 0),
      };
    }
    at += 8 + size + (size % 2);
  }
  return { bytes, filename, seconds: 0, channels, silent: true };
}
