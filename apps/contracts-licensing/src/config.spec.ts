import { describe, expect, it } from '@jest/globals';
import { type Config, givesTrials, permitsRegistration } from './config.ts';

const settings = (given: object) => given as Config;

describe('trials (open-points 6.2)', () => {
  it.each([
    ['auto', 'Hosted', true],
    ['auto', 'SelfHostedProduction', false],
    ['on', 'SelfHostedProduction', true],
    ['off', 'Hosted', false],
  ])('license.trial %s on %s: %s', (licenseTrial, deploymentType, given) => {
    expect(givesTrials(settings({ licenseTrial, deploymentType }))).toBe(given);
  });
});

describe('self-registration (open-points 6.3)', () => {
  it.each([
    ['auto', 'Hosted', true],
    ['auto', 'SelfHostedProduction', true],
    ['auto', 'ProviderAMarketplace', true],
    ['auto', 'CloudDemo', false],
    ['auto', 'OnpremDemo', false],
    ['auto', 'KubeAppDemo', false],
    ['on', 'CloudDemo', true],
    ['off', 'Hosted', false],
  ])('license.selfRegistration %s on %s: %s', (licenseSelfRegistration, deploymentType, permitted) => {
    expect(permitsRegistration(settings({ licenseSelfRegistration, deploymentType }))).toBe(permitted);
  });
});
