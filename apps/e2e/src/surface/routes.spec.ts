import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { statusesOf } from '@platform/openapi';
import { readImage } from '@platform/proto/image';
import { readSurface } from '@platform/surface';
import { describeRoutes, goldenRoutesFile, readEndpoints, routeKey, routesOutside } from './routes.ts';

const surface = readSurface(await readImage());
const bound = new Map<string, string>(
  surface.methods.flatMap(({ http, fullName }) => (http ? [[routeKey(http.verb, http.template), fullName]] : [])),
);

describe('the list of the API', () => {
  it('binds every endpoint of the spec', () => {
    const missing = readEndpoints().filter(({ verb, path }) => !bound.has(routeKey(verb, path)));
    expect(missing.map(({ verb, path }) => `${verb} ${path}`)).toEqual([]);
  });

  it('binds nothing that the spec does not have', () => {
    const outside = routesOutside.map((route) => route.split(' ') as [verb: string, path: string]);
    const endpoints = [...readEndpoints().map(({ verb, path }) => [verb, path] as const), ...outside];
    const known = new Set(endpoints.map(([verb, path]) => routeKey(verb, path)));
    expect([...bound.keys()].filter((route) => !known.has(route))).toEqual([]);
  });

  it('has the routes and access rules that were reviewed (npm run generate -- --golden renews the file)', () => {
    expect(describeRoutes(surface)).toBe(readFileSync(goldenRoutesFile, 'utf8'));
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
