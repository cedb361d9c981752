import { plainInline } from '../../../read/markup/markdown-inline.ts';
import { valuesOf } from './values.ts';
import { versionHeading } from './version-note.ts';

/** A release, by the line that heads its changes. */
export interface Release {
  /** `3.2.0`, as it is written, without `v`. */
  readonly version: string;
  /** `2025-6-10`, as `valuesOf` gives it; '' without one. */
  readonly day: string;
}

const number =
  /(?<![\p{L}\p{N}.~^@=<>])v?(\d+(?:\.\d+)+(?:[-.+]?(?:alpha|beta|rc|pre|dev|snapshot|[ab](?=\d))[.-]?\d*)?)(?![\p{L}\p{N}])/iu;
/** `tallow (3.2.0-1) unstable; urgency=medium` */
const ofPackage = /^[a-z0-9][a-z0-9.+-]+ \((?:\d+:)?(\d[\w.+~-]*)\) [\w -]+; urgency=/u;
/** `- Reads 2.1` */
const item = /^\s*[-*+•–]\s/u;
/** `License: GPL-3.0`, not `Version: 2.1` */
const field = /^\s*(?!versions?|releases?)\p{L}+:\s/iu;
/** What may stand before the version of a heading. */
const marks = /^(?:#{1,6}[ \t]+|[*_>]+)/u;

/** `[3.2.0]: https://quay.example/3.2.0` */
export const definesLink: RegExp = /^\s*\[[^\]\n]+\] ?:\s/u;

/** The first day of a text, as `valuesOf` gives it; '' without one. */
export function dayIn(text: string): string {
  return valuesOf(text).find(({ kind, key }) => kind === 'date' && !key.startsWith('-'))?.key ?? '';
}

/** The release that a line heads: `## [3.2.0] - 2025-06-10`, `v3.2 / 2025-06-10`, `Tallow 3.2`; undefined for another line. */
export function releaseAt(line: string): Release | undefined {
  const first = line.split('\n')[0]!;
  const packaged = ofPackage.exec(first)?.[1];
  if (packaged !== undefined) return { version: packaged, day: '' };
  if (field.test(first) || item.test(first) || definesLink.test(first)) return undefined;
  const plain = plainInline(first.replace(marks, ''));
  const heading = versionHeading([plain]);
  const version = heading === undefined ? undefined : number.exec(heading)?.[1];
  if (version === undefined) return undefined;
  return { version, day: dayIn(plain) };
}

const beforeRelease = /alpha|beta|rc|pre|dev|snapshot|\d[ab]\d/iu;

/** Whether a version is one for trial, before that of its number. */
export function isPreRelease({ version }: Release): boolean {
  return beforeRelease.test(version);
}

/** Less than 0 where the first of two versions is the smaller: 2.9 before 2.10. Numbers that one of them lacks are 0. */
export function compareVersions(a: Release, b: Release): number {
  const [one, other] = [a, b].map(({ version }) => /^[\d.]+/.exec(version)?.[0] ?? '');
  return (
    compareNumbers(one!, other!) ||
    Number(isPreRelease(b)) - Number(isPreRelease(a)) ||
    compareNumbers(a.version.slice(one!.length), b.version.slice(other!.length))
  );
}

function compareNumbers(a: string, b: string): number {
  const [one, other] = [a, b].map((text) => (text.match(/\d+/g) ?? []).map(Number));
  for (let i = 0; i < Math.max(one!.length, other!.length); i++) {
    const difference = (one![i] ?? 0) - (other![i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** What a change log says of itself above its first release: `All notable changes to the Lantern are told here.` */
export function aboveReleases(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => releaseAt(line) !== undefined);
  return lines.slice(0, Math.max(0, first)).join('\n');
}
