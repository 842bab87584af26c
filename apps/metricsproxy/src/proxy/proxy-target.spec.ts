import { describe, expect, it } from '@jest/globals';
import { backendUrl, isReading, proxyTarget } from './proxy-target.ts';

describe('a path of the data path', () => {
  it.each(['/metrics-proxy/7.x/api/v1/query', '/7.x/api/v1/query'])('is read with and without prefix: %s', (path) => {
    expect(proxyTarget('/metrics-proxy', path)).toEqual({ identity: '7.x', path: 'api/v1/query' });
  });

  it('is read where a proxy in front takes the path of the base URL away, or leaves it', () => {
    for (const path of ['/a/metrics-proxy/7.x/api/v1/query', '/metrics-proxy/7.x/api/v1/query', '/7.x/api/v1/query']) {
      expect(proxyTarget('/a/metrics-proxy', path)).toEqual({ identity: '7.x', path: 'api/v1/query' });
    }
  });

  it.each(['/', '/7.x', '/7.x/', '//api/v1/query'])('is not %j', (path) => {
    expect(proxyTarget('/metrics-proxy', path)).toBeUndefined();
  });
});

describe('what reading needs', () => {
  it.each([
    'query', 'query_range', 'query_exemplars', 'series', 'labels', 'label/job/values', 'label/U__http_2e_status/values',
    'label/a%2Fb/values', 'label/a..b/values', 'label/...;x/values', 'metadata', 'rules', 'alerts', 'format_query',
    'parse_query', 'status/buildinfo',
  ])('is api/v1/%s by each method', (path) => {
    for (const method of ['GET', 'HEAD', 'POST']) expect(isReading(method, `api/v1/${path}`)).toBe(true);
  });

  it('is federate, and not by POST', () => {
    expect(['GET', 'HEAD', 'POST'].map((method) => isReading(method, 'federate'))).toEqual([true, true, false]);
  });

  it.each([
    'api/v1/write', 'api/v1/otlp/v1/metrics', 'api/v1/read', 'api/v1/admin/tsdb/delete_series', 'api/v1/admin/tsdb/snapshot',
    'api/v1/admin/tsdb/clean_tombstones', 'api/v1/status/config', 'api/v1/status/flags', 'api/v1/targets', 'api/v1/import',
    'api/v1/rules/x', 'api/v1/query/', 'api/v1/label//values', 'api/v1/label/a/b/values', 'api/v1/label/a/values/x',
    'api/v1', 'api/v1/', 'api/v2/query', 'graph', '/api/v1/query', 'API/v1/query', 'api/v1/Query', '%61pi/v1/query',
    'api/v1/../../admin', 'api/v1/label/%2e%2e/values', 'api/v1/label/../values', 'api/v1/label/.%2E/values',
    'api/v1/label/a%2F%2e%2E%2Fadmin/values', 'api/v1/label/a%252f%252e%252e/values', 'api/v1/label/a%5c..%5cb/values',
    'api/v1/label/a\\..\\b/values', 'api/v1/label/..;a=b/values', 'federate/', 'federate/x', '-/reload', '-/quit',
  ])('is not %j', (path) => {
    for (const method of ['GET', 'HEAD', 'POST']) expect(isReading(method, path)).toBe(false);
  });
});

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
