/** Tracks of GPX, TCX and KML: thousands of measured places, of which only what somebody wrote is text. */
import type { DocumentBuilder } from '../builder.ts';
import { localName } from './xml.ts';

const ROOTS = /^(?:gpx|TrainingCenterDatabase|kml)$/;
const POINTS = /^(?:trkpt|rtept|Trackpoint)$/;
const WRITTEN = /^(?:name|cmt|desc|src|type|sym|Notes)$/;
const TIMES = /^(?:time|Time)$/;
/** Of KML: places in one element, or one element each. */
const PLACES = /^(?:coordinates|coord)$/;
/** What holds the points. */
const TRACKS = /^(?:trkseg|rte|Track|LineString|LinearRing)$/;
/** As many places are a mark on a map, or a way of few steps. */
const MOST_PLACES = 3;

/** Takes the elements of a file in order, and says which of them are no text. */
export class TrackPoints {
  #isTracked: boolean | undefined;
  #depth = 0;
  #points = 0;
  #times: string[] = [];
  #all = 0;

  /** @returns whether attributes of the element are text */
  open(name: string): boolean {
    const own = localName(name);
    this.#isTracked ??= ROOTS.test(own);
    if (!this.#isTracked) return true;
    if (this.#depth > 0 || POINTS.test(own)) this.#depth++;
    if (this.#depth === 1) this.#points++;
    return this.#depth === 0;
  }

  /** @returns whether the text of the element is text of the file */
  close(name: string, text: string): boolean {
    if (this.#isTracked !== true) return true;
    const own = localName(name);
    if (this.#depth > 0) {
      this.#depth--;
      if (this.#depth === 1 && TIMES.test(own)) this.#times = [this.#times[0] ?? text.trim(), text.trim()];
      return this.#depth === 1 && WRITTEN.test(own);
    }
    if (!PLACES.test(own)) return true;
    const places = own === 'coord' ? 1 : text.trim().split(/\s+/).length;
    if (own !== 'coord' && places <= MOST_PLACES) return true;
    this.#points += places;
    return false;
  }

  /** What is said of the points of a track that ends, by name. */
  endTrack(name: string): (readonly [name: string, text: string])[] {
    if (this.#points === 0 || this.#depth > 0 || !TRACKS.test(localName(name))) return [];
    const [start, end] = this.#times;
    const said: (readonly [string, string])[] = [['points', String(this.#points)]];
    if (start !== undefined && end !== undefined) said.push(['start', start], ['end', end]);
    this.#all += this.#points;
    this.#points = 0;
    this.#times = [];
    return said;
  }

  /** After the last element. */
  finish(builder: DocumentBuilder): void {
    const points = this.#all + this.#points;
    if (points > 0) builder.leaveOut(points, 'TRACK_POINTS', `left out what ${points} points of tracks measured`);
  }
}
