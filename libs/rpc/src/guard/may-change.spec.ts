import { expect, it } from '@jest/globals';
import { readImage } from '@platform/proto/image';
import { readSurface } from '@platform/surface';
import { mayChange } from './may-change.ts';

const { methods } = readSurface(await readImage());
const namesOf = (found: typeof methods) => found.map(({ service, name }) => `${service.split('.').at(-1)}.${name}`).sort();

it('of the methods without a route, those that are asked for almost each request change nothing', () => {
  expect(namesOf(methods.filter((method) => method.http === undefined && !mayChange(method)))).toEqual([
    'ClusterOwnerService.FindClusters', 'FactService.CatchUp', 'FactService.Follow',
    'IdentityService.GetStanding', 'IdentityService.ReportLostStore', 'IdentityService.ResolveOwners',
    'IdentityService.Settle', 'LeaseService.EndSession', 'LeaseService.KeepSession', 'OwnerService.ResolveOwners',
    'StatusService.GetStatus',
  ]);
});

it('a GET changes nothing, but a sign-in at a provider', () => {
  expect(namesOf(methods.filter((method) => method.http?.verb === 'GET' && mayChange(method)))).toEqual([
    'OidcService.BeginOidc', 'OidcService.FinishOidc',
  ]);
});
