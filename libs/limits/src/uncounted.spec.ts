import { expect, it } from '@jest/globals';
import { readImage } from '@platform/proto/image';
import { readSurface } from '@platform/surface';
import { isRateLimited } from './rate-limit.ts';

it('every endpoint is counted but versions and the notifications of marketplaces (open-points 1.9)', async () => {
  const { methods } = readSurface(await readImage());
  const uncounted = methods.flatMap((method) => (method.http && !isRateLimited(method) ? [method.http.template] : []));
  expect(uncounted.sort()).toEqual([
    '/api/v1/version',
    ...['a', 'b', 'c'].map((letter) => `/marketplace/api/v1/marketplaces/provider${letter}/notification/resource`),
    '/marketplace/api/v1/version',
  ]);
});
