import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { settingsReference } from './settings-reference.ts';
import { environmentName, settings } from './settings.ts';

describe('environmentName', () => {
  it.each([
    ['billing.enabled', 'PLATFORM_BILLING_ENABLED'],
    ['http.baseURL', 'PLATFORM_HTTP_BASE_URL'],
    ['http.port', 'PLATFORM_HTTP_PORT'],
    ['metricsproxy.deniedCIDRs', 'PLATFORM_METRICSPROXY_DENIED_CIDRS'],
    ['marketplace.providerc.testInstallerId', 'PLATFORM_MARKETPLACE_PROVIDERC_TEST_INSTALLER_ID'],
    ['licenseProxy.chart', 'PLATFORM_LICENSE_PROXY_CHART'],
    ['license.ca', 'PLATFORM_LICENSE_CA'],
    ['openfga.presharedKey', 'PLATFORM_OPENFGA_PRESHARED_KEY'],
    ['home', 'PLATFORM_HOME'],
  ])('%s is %s', (key, name) => {
    expect(environmentName(key)).toBe(name);
  });

  it('gives no two settings one name', () => {
    const keys = Object.keys(settings);
    expect(new Set(keys.map(environmentName)).size).toBe(keys.length);
  });
});

describe('settings', () => {
  it.each(Object.entries(settings))('%s has a default that its kind takes', (_key, { kind, defaultText }) => {
    if (defaultText === undefined) return;
    expect(kind.parse(defaultText)).not.toBeUndefined();
  });

  it('never gives a secret a default', () => {
    const withDefault = Object.values(settings).filter(
      ({ kind, defaultText }) => kind.secret && (defaultText ?? '') !== '',
    );
    expect(withDefault).toEqual([]);
  });

  it('is what docs/configuration.md says', () => {
    const committed = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
    expect(committed).toBe(settingsReference());
  });
});
