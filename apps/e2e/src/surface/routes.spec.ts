import { beforeAll, describe, expect, it } from '@jest/globals';
import { statusesOf } from '@platform/openapi';
import { readImage } from '@platform/proto/image';
import { readSurface, type Surface } from '@platform/surface';
import { describeRoutes, readEndpoints, readGoldenRoutes, routeKey, routesOutside } from './routes.ts';

let surface: Surface;
let bound: Map<string, string>;

beforeAll(async () => {
  surface = readSurface(await readImage());
  bound = new Map(
    surface.methods.flatMap(({ http, fullName }) => (http ? [[routeKey(http.verb, http.template), fullName]] : [])),
  );
});

describe('the list of the API', () => {
  it('binds every endpoint of the spec', () => {
    const missing = readEndpoints()
      .filter(({ verb, path }) => !bound.has(routeKey(verb, path)))
      .map(({ verb, path }) => `${verb} ${path}`);
    expect(missing).toEqual([]);
  });

  it('binds nothing that the spec does not have', () => {
    const outside = routesOutside.map((route) => route.split(' ') as [verb: string, path: string]);
    const known = new Set([
      ...readEndpoints().map(({ verb, path }) => routeKey(verb, path)),
      ...outside.map(([verb, path]) => routeKey(verb, path)),
    ]);
    expect([...bound.keys()].filter((route) => !known.has(route))).toEqual([]);
  });

  it('has the routes and access rules that were reviewed (npm run generate -- --golden renews the file)', () => {
    expect(describeRoutes(surface)).toBe(readGoldenRoutes());
  });

  it('answers every status of the spec: as success, by its access rule or shape, or by a declared reason', () => {
    const wrong: string[] = [];
    for (const { verb, path, statuses } of readEndpoints()) {
      const possible = statusesOf(surface.methods.find((one) => one.fullName === bound.get(routeKey(verb, path)))!);
      wrong.push(...statuses.filter((status) => !possible.has(status)).map((status) => `${verb} ${path}: ${status}`));
    }
    expect(wrong).toEqual([]);
  });
});
