import { openAsBlob } from 'node:fs';
import type { IAudioMetadata } from 'music-metadata';
import { IbidError, messageOf } from '../../core/errors.ts';
import type { ReadWarning } from '../../core/types.ts';
import { oneLine } from '../../text/one-line.ts';
import { unreadable } from '../parse.ts';
import type { Chapter, RecordingInfo } from './contract.ts';
import type { RecordingType } from './kinds.ts';

/** Codecs of encrypted tracks: sample entries of MP4 under DRM. */
const ENCRYPTED = /\b(?:drms|drmi|enca|encv|aavd)\b/i;
/** A file that is shorter than what its header promises by more than this share is cut. */
const CUT_SHARE = 0.05;

/**
 * Reads the container of a recording, a few pages of it: no sound is decoded and the file is not loaded.
 * @throws IbidError FILE_DAMAGED, FILE_ENCRYPTED (DRM), FILE_EMPTY (no sound in it, or none at all), FILE_UNREADABLE
 */
export async function readContainer(
  file: { readonly path: string } | { readonly bytes: Uint8Array },
  type: RecordingType,
): Promise<RecordingInfo> {
  const { parseBlob } = await import('music-metadata');
  const blob =
    'path' in file
      ? await openAsBlob(file.path, { type }).catch((error) => {
          throw unreadable(error);
        })
      : new Blob([Uint8Array.from(file.bytes)], { type });
  let found: IAudioMetadata;
  try {
    found = await parseBlob(blob, { duration: true, skipCovers: true, includeChapters: true });
  } catch (cause) {
    const message = messageOf(cause);
    throw new IbidError('FILE_DAMAGED', `the recording is cut short or broken: ${message.slice(0, 200)}`, { cause });
  }
  return infoOf(found, blob.size);
}

function infoOf({ format, common }: IAudioMetadata, sizeBytes: number): RecordingInfo {
  const codecs = [format.codec, ...(format.trackInfo ?? []).map(({ codecName }) => codecName)].join(' ');
  if (ENCRYPTED.test(codecs)) {
    throw new IbidError('FILE_ENCRYPTED', 'the recording is protected by DRM', {
      hint: 'Get a copy without protection.',
    });
  }
  if (format.hasAudio !== true) {
    if (format.hasVideo === true) throw new IbidError('FILE_EMPTY', 'a video without sound');
    throw new IbidError('FILE_DAMAGED', 'no sound is found in the recording: it is cut short or broken');
  }
  const { duration = 0 } = format;
  // a header that counts no bytes a sample gives infinite seconds
  const durationMs = Number.isFinite(duration) ? Math.round(duration * 1000) : 0;
  if (format.duration === 0) throw new IbidError('FILE_EMPTY', 'the recording lasts 0 seconds');
  const text = (value: string | undefined): string | undefined => oneLine(value ?? '') || undefined;
  const year = common.year === undefined ? undefined : String(common.year);
  const [title, artist, album, date] = [common.title, common.artist, common.album, common.date ?? year].map(text);
  const lyrics = lyricsOf(common.lyrics ?? []);
  return {
    container: format.container ?? '',
    codec: format.codec ?? '',
    durationMs,
    channels: format.numberOfChannels ?? 0,
    ...(title === undefined ? {} : { title }),
    ...(artist === undefined ? {} : { artist }),
    ...(album === undefined ? {} : { album }),
    ...(date === undefined ? {} : { date }),
    chapters: chaptersOf(format.chapters ?? []),
    ...(lyrics === undefined ? {} : { lyrics }),
    hasVideo: format.hasVideo === true,
    warnings: cutWarnings(format, sizeBytes),
  };
}

function chaptersOf(chapters: NonNullable<IAudioMetadata['format']['chapters']>): Chapter[] {
  return chapters
    .map(({ title, start, timeScale }) => ({
      title: oneLine(title ?? ''),
      // MP4 counts in its own scale, the other containers in seconds
      startMs: Math.round((start / (timeScale ?? 1)) * 1000),
    }))
    .filter(({ title, startMs }) => title !== '' && Number.isFinite(startMs))
    .sort((a, b) => a.startMs - b.startMs);
}

function lyricsOf(tags: NonNullable<IAudioMetadata['common']['lyrics']>): RecordingInfo['lyrics'] {
  for (const { syncText = [] } of tags) {
    const lines = syncText.filter(({ text, timestamp }) => text.trim() !== '' && timestamp !== undefined);
    if (lines.length === 0) continue;
    const starts = lines.map(({ timestamp }) => timestamp!);
    return {
      words: lines.map(({ text }, i) => ({
        text: oneLine(text),
        startMs: starts[i]!,
        endMs: Math.max(starts[i]!, starts[i + 1] ?? starts[i]!),
      })),
    };
  }
  const plain = tags.map(({ text }) => text?.trim() ?? '').find((text) => text !== '');
  return plain === undefined ? undefined : { text: plain };
}

/** Says that sound is missing at the end, where size and length of the file tell it. */
function cutWarnings(format: IAudioMetadata['format'], sizeBytes: number): ReadWarning[] {
  const isConstant = format.codecProfile === 'CBR';
  if (!isConstant || !format.bitrate || !format.duration) return [];
  const promised = (format.bitrate / 8) * format.duration;
  if (sizeBytes > promised * (1 - CUT_SHARE)) return [];
  const share = Math.round((100 * sizeBytes) / promised);
  return [{ code: 'RECORDING_CUT', message: `the file is cut short: it holds about ${share} % of its sound` }];
}
