import { describe, expect, it } from '@jest/globals';
import { backendUrl, proxyTarget } from './proxy-target.ts';

describe('a path of the data path', () => {
  it.each(['/metrics-proxy/7.x/api/v1/query', '/7.x/api/v1/query'])('is read with and without prefix: %s', (path) => {
    expect(proxyTarget('/metrics-proxy', path)).toEqual({ identity: '7.x', path: 'api/v1/query' });
  });

  it('is read where a proxy in front takes the path of the base URL away, or leaves it', () => {
    for (const path of ['/a/metrics-proxy/7.x/api/v1/query', '/metrics-proxy/7.x/api/v1/query', '/7.x/api/v1/query']) {
      expect(proxyTarget('/a/metrics-proxy', path)).toEqual({ identity: '7.x', path: 'api/v1/query' });
    }
  });

  it.each([
    '/', '/7.x', '/7.x/', '/7.x/api/v1', '/7.x/api/v1/', '/7.x/api/v2/query', '/7.x/graph', '//api/v1/query',
    '/7.x//api/v1/query', '/7.x/api/v1/../../admin', '/7.x/api/v1/%2e%2e/admin', '/7.x/api/v1/.%2E/admin',
    '/7.x/api/v1/..%2fadmin', '/7.x/api/v1/a%2F%2e%2E%2Fadmin', '/7.x/api/v1/..%5cadmin', '/7.x/api/v1/..;a=b/admin',
    '/7.x/api/v1/./x', '/7.x/api/v1/x/..', '/7.x/API/v1/query', '/7.x/api/v1/a\\b', '/7.x/api/v1/a b',
  ])('is none: %j', (path) => {
    expect(proxyTarget('/metrics-proxy', path)).toBeUndefined();
  });
});

it.each(['/7.x/api/v1/label/a%2Fb/values', '/7.x/api/v1/label/a..b/values', '/7.x/api/v1/label/...;x/values'])(
  'a path may have what leads nowhere else: %j',
  (path) => {
    expect(proxyTarget('/metrics-proxy', path)).toEqual({ identity: '7.x', path: path.slice('/7.x/'.length) });
  },
);

describe('the address at a backend', () => {
  it.each([
    ['http://a:9090/', 'query=up', 'http://a:9090/api/v1/query?query=up'],
    ['http://a/prom?tenant=x', 'query=up', 'http://a/prom/api/v1/query?tenant=x&query=up'],
    ['http://a/prom/', '', 'http://a/prom/api/v1/query'],
    ['http://a', 'token=x&query=up&access_token=y', 'http://a/api/v1/query?query=up'],
    ['http://a', 'to%6ben=x&query=%7Ba%3D%22b%22%7D&tokens=1', 'http://a/api/v1/query?query=%7Ba%3D%22b%22%7D&tokens=1'],
  ])('of %s with %j', (base, query, address) => {
    expect(backendUrl(base, 'api/v1/query', query).href).toBe(address);
  });
});
