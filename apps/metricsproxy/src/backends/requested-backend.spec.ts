import { describe, expect, it } from '@jest/globals';
import { createOutbound } from '@platform/outbound';
import type { Backend } from '@platform/proto/metricsproxy/v1/metricsproxy';
import { deadlineIn } from '@platform/service';
import { requestedBackend } from './requested-backend.ts';

const outbound = createOutbound({ resolve: async () => [] });
const none: Backend = { url: '', bearerToken: '', service: undefined, basicAuth: undefined, tls: undefined };
const service = { scheme: '', name: 'prometheus', namespace: 'monitoring', port: '', path: '', query: '' };
const read = (backend: Partial<Backend>) => requestedBackend({ ...none, ...backend }, outbound, deadlineIn(5_000));

describe('the address of a backend', () => {
  it.each([
    [{}, 'http://prometheus.monitoring.svc/'],
    [{ port: '9090' }, 'http://prometheus.monitoring.svc:9090/'],
    [{ scheme: 'https', port: '443', path: '/prom', query: 'a=b' }, 'https://prometheus.monitoring.svc/prom?a=b'],
    [{ query: '?a=b' }, 'http://prometheus.monitoring.svc/?a=b'],
  ])('is made of a service: %j', async (given, url) => {
    expect((await read({ service: { ...service, ...given } })).url).toBe(url);
  });

  it('is the URL where both are given, without its fragment', async () => {
    expect((await read({ url: 'http://a.example/x?y=1#z', service })).url).toBe('http://a.example/x?y=1');
  });
});

describe('the credentials of a backend', () => {
  const url = 'http://a.example';

  it.each([
    [{}, undefined],
    [{ basicAuth: { username: '', password: '' } }, undefined],
    [{ basicAuth: { username: 'prom', password: 'a:b' } }, `Basic ${Buffer.from('prom:a:b').toString('base64')}`],
    [{ bearerToken: 'x.y' }, 'Bearer x.y'],
    [{ bearerToken: 'x.y\r\n' }, 'Bearer x.y'],
    [{ bearerToken: '\n' }, undefined],
    [{ bearerToken: 'x.y', basicAuth: { username: 'prom', password: '' } }, 'Bearer x.y'],
  ])('become a header: %j', async (given, header) => {
    expect((await read({ url, ...given })).authorization).toBe(header);
  });
});
