/** Tracks: what somebody wrote is text, what a device measured is counted. */
import { describe, expect, it } from 'vitest';
import { codes, parse } from './helpers.ts';

const point = (i: number, more = ''): string =>
  `<trkpt lat="52.${i}" lon="4.${i}"><ele>${i}.5</ele>${more}<time>2024-05-04T08:${String(i % 60).padStart(2, '0')}:00Z</time><extensions><x:hr>12${i % 10}</x:hr></extensions></trkpt>`;
const points = Array.from({ length: 40 }, (_, i) => point(i, i === 7 ? '<name>Tea house</name>' : '')).join('');
const place = '<wpt lat="52.1" lon="4.2"><name>Water tap</name><desc>Open all year</desc></wpt>';

describe('tracks', () => {
  it.each([
    ['alone', `<trk><name>Dunes</name><trkseg>${points}</trkseg></trk>`],
    ['beside places', `${place}<trk><name>Dunes</name><cmt>windy</cmt><trkseg>${points}</trkseg></trk>`],
  ])('GPX %s', async (_, content) => {
    const { text, warnings } = await parse('ride.gpx', `<?xml version="1.0"?><gpx version="1.1">${content}</gpx>`);
    expect(text).not.toMatch(/52\.[02-9]|12\d|\bele\b/);
    expect(text).toContain('Dunes');
    expect(text).toContain('Tea house');
    expect(text).toMatch(/points: 40\n.*start: 2024-05-04T08:00:00Z\n.*end: 2024-05-04T08:39:00Z/);
    expect(text.includes('Open all year')).toBe(content.startsWith(place));
    expect(text.includes('@lat: 52.1')).toBe(content.startsWith(place));
    expect(warnings).toMatchObject([{ code: 'TRACK_POINTS', leftOut: 40 }]);
  });

  it('KML: a line of many places; the place of a mark stays', async () => {
    const line = Array.from({ length: 50 }, (_, i) => `4.${i},52.${i},0`).join('\n');
    const mark = '<Placemark><name>Pier</name><Point><coordinates>4.2,52.1,0</coordinates></Point></Placemark>';
    const way = `<Placemark><name>Way</name><LineString><coordinates>${line}</coordinates></LineString></Placemark>`;
    const { text, warnings } = await parse(
      'a.kml',
      `<?xml version="1.0"?><kml><Document>${mark}${way}</Document></kml>`,
    );
    expect(text).toContain('4.2,52.1,0');
    expect(text).toContain('Way');
    expect(text).toContain('points: 50');
    expect(text).not.toContain('4.49,52.49');
    expect(warnings).toMatchObject([{ code: 'TRACK_POINTS', leftOut: 50 }]);
  });

  it('TCX: the sums of a lap stay', async () => {
    const track = Array.from(
      { length: 9 },
      (_, i) => `<Trackpoint><Time>T${i}</Time><Cadence>8${i}</Cadence></Trackpoint>`,
    );
    const lap = `<Lap StartTime="T0"><DistanceMeters>8100</DistanceMeters><Track>${track.join('')}</Track></Lap>`;
    const source = `<?xml version="1.0"?><TrainingCenterDatabase><Activities><Activity Sport="Biking"><Id>1</Id>${lap}<Notes>Rain</Notes></Activity></Activities></TrainingCenterDatabase>`;
    const { text } = await parse('a.tcx', source);
    for (const said of ['DistanceMeters: 8100', 'Rain', 'points: 9', 'start: T0', 'end: T8'])
      expect(text).toContain(said);
    expect(text).not.toContain('Cadence');
  });

  it('elements of these names elsewhere are read', async () => {
    const document = await parse(
      'a.xml',
      '<?xml version="1.0"?><survey><trkpt a="1">One</trkpt><trkpt>Two</trkpt></survey>',
    );
    expect(document.text).toContain('One');
    expect(codes(document)).toEqual([]);
  });
});
