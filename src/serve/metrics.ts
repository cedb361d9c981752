/** Upper bounds of the times that are counted, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

interface Times {
  readonly counts: number[];
  sum: number;
  count: number;
}

/** Counters of a server, in the text format of Prometheus. */
export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #times = new Map<string, Times>();

  /** @param route the path of a route, never of a request: their number must be bounded */
  add(route: string, status: number, seconds: number): void {
    const key = `route="${route}",status="${status}"`;
    this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1);
    const times = this.#times.get(route) ?? { counts: BOUNDS.map(() => 0), sum: 0, count: 0 };
    this.#times.set(route, times);
    times.sum += seconds;
    times.count++;
    const at = BOUNDS.findIndex((bound) => seconds <= bound);
    if (at >= 0) times.counts[at]!++;
  }

  /** @param gauges name → value now; a name may have labels, `name{label="value"}`, those of one name in a row */
  text(gauges: Readonly<Record<string, number>>): string {
    const lines = ['# TYPE ibid_requests_total counter'];
    for (const [key, count] of this.#requests) lines.push(`ibid_requests_total{${key}} ${count}`);
    lines.push('# TYPE ibid_request_seconds histogram');
    for (const [route, { counts, sum, count }] of this.#times) {
      let below = 0;
      BOUNDS.forEach((bound, i) => {
        below += counts[i]!;
        lines.push(`ibid_request_seconds_bucket{route="${route}",le="${bound}"} ${below}`);
      });
      lines.push(`ibid_request_seconds_bucket{route="${route}",le="+Inf"} ${count}`);
      lines.push(
        `ibid_request_seconds_sum{route="${route}"} ${sum}`,
        `ibid_request_seconds_count{route="${route}"} ${count}`,
      );
    }
    let last = '';
    for (const [key, value] of Object.entries(gauges)) {
      const [name = ''] = key.split('{');
      if (name !== last) lines.push(`# TYPE ${name} gauge`);
      last = name;
      lines.push(`${key} ${value}`);
    }
    return `${lines.join('\n')}\n`;
  }
}
