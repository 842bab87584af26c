/** What was answered in the last minute. */
export interface Recent {
  readonly answered: number;
  /** With 4xx. */
  readonly refused: number;
  /** With 5xx. */
  readonly failed: number;
  /** The most frequent routes, with how many each. */
  readonly routes: readonly { readonly route: string; readonly answered: number }[];
}

/** Counts the requests of the last minute, for people to look at; programs have the metrics. */
export interface RecentRequests {
  count(route: string, status: number): void;
  summary(): Recent;
}

const seconds = 60;
const mostRoutes = 8;

interface Second {
  at: number;
  refused: number;
  failed: number;
  readonly routes: Map<string, number>;
}

/** @param now milliseconds of a monotonic clock */
export function createRecentRequests(now: () => number = () => performance.now()): RecentRequests {
  const ring: Second[] = Array.from({ length: seconds }, () => ({ at: -1, refused: 0, failed: 0, routes: new Map() }));
  const thisSecond = (): number => Math.floor(now() / 1_000);

  return {
    count: (route, status) => {
      const at = thisSecond();
      const second = ring[at % seconds]!;
      if (second.at !== at) {
        second.routes.clear();
        Object.assign(second, { at, refused: 0, failed: 0 });
      }
      second.routes.set(route, (second.routes.get(route) ?? 0) + 1);
      if (status >= 500) second.failed += 1;
      else if (status >= 400) second.refused += 1;
    },
    summary: () => {
      const since = thisSecond() - seconds;
      const routes = new Map<string, number>();
      let [refused, failed] = [0, 0];
      for (const second of ring.filter(({ at }) => at > since)) {
        refused += second.refused;
        failed += second.failed;
        for (const [route, count] of second.routes) routes.set(route, (routes.get(route) ?? 0) + count);
      }
      const counted = [...routes].map(([route, answered]) => ({ route, answered }));
      return {
        answered: counted.reduce((sum, { answered }) => sum + answered, 0),
        refused,
        failed,
        routes: counted.sort((a, b) => b.answered - a.answered).slice(0, mostRoutes),
      };
    },
  };
}
