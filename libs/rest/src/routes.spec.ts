import { expect, test } from '@jest/globals';
import { readImage } from '@platform/proto/image';
import { type Deployment, readSurface } from '@platform/surface';
import { compileRoutes } from './routes.ts';
import { openUpstream } from './upstream.ts';

const surface = readSurface(await readImage());
const hosts = new Set(surface.methods.flatMap(({ hosts: all }) => all));

/** `Allow` at a path of the product's own API; undefined if the path does not exist. */
function allowed(path: string, deployment: Partial<Deployment>): string | undefined {
  const upstream = openUpstream(new Map([...hosts].map((host) => [host, ['127.0.0.1:1']])), {});
  const usual = { type: 'SelfHostedProduction', runMode: 'prod', billing: 'auto' } as const;
  return compileRoutes(surface, { ...usual, ...deployment }, upstream).match(path)?.allow;
}

const types = [
  ...['Hosted', 'SelfHostedProduction', 'CloudDemo', 'OnpremDemo', 'KubeAppDemo'],
  ...['ProviderAMarketplace', 'ProviderBMarketplace', 'ProviderCMarketplace'],
] as Deployment['type'][];

/** Open-points 1.1 and 1.2. */
test.each(types)('claims in %s', (type) => {
  const taken = allowed('/api/v1/orgs/claim/ABC', { type });
  expect(taken).toBe(type === 'Hosted' ? 'PATCH' : undefined);
  const oldest = type.endsWith('Marketplace') ? 'GET, HEAD' : undefined;
  for (const path of ['/api/v1/orgs/claim', '/api/v1/orgs/claim/', '/api/v1/orgs/%63laim']) {
    expect(allowed(path, { type })).toBe(oldest);
    expect(allowed(path, { type, runMode: 'dev' })).toBe('GET, HEAD');
  }
});

test('only the very segment hides the organizations', () => {
  const organization = allowed('/api/v1/orgs/acme', {});
  expect(organization).toContain('GET, HEAD');
  for (const name of ['Claim', 'claims', 'claim%20', 'claim.']) {
    expect(allowed(`/api/v1/orgs/${name}`, {})).toBe(organization);
  }
  // A claim may have the name teams, but an organization can never have the name claim.
  expect(allowed('/api/v1/orgs/claim/teams', { type: 'Hosted' })).toBe('PATCH');
  expect(allowed('/api/v1/orgs/claim/teams', {})).toBeUndefined();
  expect(allowed('/api/v1/orgs/acme/teams', {})).toContain('GET, HEAD');
});

test('nothing is below a fixed segment that can be read, though a parameter in its place had it', () => {
  const hosted = { type: 'Hosted' } as const;
  expect(allowed('/api/v1/dashboard/users/active', hosted)).toBe('GET, HEAD');
  expect(allowed('/api/v1/dashboard/users/7/clusters', hosted)).toBe('GET, HEAD');
  expect(allowed('/api/v1/dashboard/users/active/clusters', hosted)).toBeUndefined();
  // Other segments are values of the parameter, too.
  expect(allowed('/api/v1/orgs/acme/members/action', hosted)).toContain('GET, HEAD');
});
