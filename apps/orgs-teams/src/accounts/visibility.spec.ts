import { describe, expect, it } from '@jest/globals';
import { organizationTypes, typeWithEndpoint, wantedVisibility } from './visibility.ts';

describe('visibility of a request (open-points 3.1)', () => {
  it.each([
    [undefined, undefined, undefined],
    ['', undefined, undefined],
    ['private', undefined, 'private'],
    [undefined, 'limited', 'limited'],
    ['', 'limited', 'limited'],
    ['public', 'private', 'public'],
  ])('visibility %j with orgType %j means %j', (visibility, orgType, expected) => {
    expect(wantedVisibility(visibility, orgType)).toEqual({ visibility: expected });
  });

  it.each([
    ['secret', undefined, ['visibility']],
    ['Public', undefined, ['visibility']],
    [undefined, 'client', ['orgType']],
    [undefined, '', ['orgType']],
    ['public', '6', ['orgType']],
    ['hidden', 'client', ['visibility', 'orgType']],
  ])('visibility %j with orgType %j is refused', (visibility, orgType, unusable) => {
    expect(wantedVisibility(visibility, orgType)).toEqual({ unusable });
  });
});

describe('kind of an organization with an endpoint', () => {
  it.each([
    [organizationTypes.ordinary, 'https://hub', organizationTypes.managerOrigin],
    [organizationTypes.ordinary, '', organizationTypes.ordinary],
    [organizationTypes.client, 'https://hub', organizationTypes.client],
    [organizationTypes.administrative, 'https://hub', organizationTypes.administrative],
  ])('%d with %j is %d', (type, endpoint, expected) => {
    expect(typeWithEndpoint(type, endpoint)).toBe(expected);
  });
});
