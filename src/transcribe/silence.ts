/** Frames of this length are looked at, in ms. */
export const FRAME_MS = 10;
/** A cut wants this much silence around it, in ms. */
const QUIET_MS = 300;
/** Loudness that a cut may have more for each second that it lies nearer to the middle: ties go to the middle. */
const NEARNESS = 1e-6;

/**
 * The middle of the quietest stretch, in frames: where nobody speaks.
 * @param levels mean square of each frame
 */
export function quietest(levels: Float64Array): number {
  const width = Math.min(levels.length, QUIET_MS / FRAME_MS);
  let sum = 0;
  let best = { at: levels.length >> 1, cost: Number.POSITIVE_INFINITY };
  for (let end = 0; end < levels.length; end++) {
    sum += levels[end]!;
    if (end >= width) sum -= levels[end - width]!;
    if (end < width - 1) continue;
    const at = end - (width >> 1);
    const cost = Math.max(0, sum) / width + NEARNESS * ((Math.abs(at - levels.length / 2) * FRAME_MS) / 1000);
    if (cost < best.cost) best = { at, cost };
  }
  return best.at;
}

/** Mean squares of frames of one channel of whole numbers of 16 bits. @param sampleRate samples a second */
export function levelsOf(pcm: Buffer, sampleRate: number): Float64Array {
  const perFrame = Math.max(1, Math.round((sampleRate * FRAME_MS) / 1000));
  const levels = new Float64Array(Math.floor(pcm.length / 2 / perFrame));
  for (let frame = 0; frame < levels.length; frame++) {
    let sum = 0;
    for (let i = 0; i < perFrame; i++) sum += (pcm.readInt16LE(2 * (frame * perFrame + i)) / 32_768) ** 2;
    levels[frame] = sum / perFrame;
  }
  return levels;
}
