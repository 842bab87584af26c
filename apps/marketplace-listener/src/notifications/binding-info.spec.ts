import { describe, expect, it } from '@jest/globals';
import { Fault } from '@platform/faults';
import { bindingFrom } from './binding-info.ts';
import { withoutSecrets } from './payload.ts';

const least = { marketplace: 'ProviderA', installerId: 'i', clusterId: '1B671A64-40D5-491E-99B0-DA01FF1F3341' };

/** Paths of the invalid fields. */
function wrongIn(given: unknown, marketplace: 'ProviderA' | 'ProviderB' | 'ProviderC' = 'ProviderA'): string[] {
  try {
    bindingFrom(given, marketplace);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    expect((error as Fault).reason).toBe('INVALID_BINDING');
    return (error as Fault).violations.map(({ path }) => path);
  }
}

describe('a BindingInfo (open-points 11.2, 11.8)', () => {
  it('has keys of any case; of equal ones the last counts', () => {
    const given = { MARKETPLACE: 'ProviderA', installerID: 'one', InstallerId: 'two', CLUSTERid: least.clusterId };
    expect(bindingFrom(given, 'ProviderA')).toMatchObject({
      installerId: 'two', clusterUid: least.clusterId.toLowerCase(),
    });
  });

  it('may leave out what is chosen then', () => {
    const none = { adminUsername: '', providerAAccountID: '', domainWhiteList: null, options: null };
    for (const given of [least, { ...least, ...none }]) {
      expect(bindingFrom(given, 'ProviderA')).toEqual({
        installerId: 'i', clusterUid: least.clusterId.toLowerCase(), providerAAccountID: undefined,
        adminUsername: undefined, adminPassword: undefined, domainWhiteList: [], options: {},
      });
    }
  });

  it('names its marketplace at A, and may at the others', () => {
    const { marketplace: _, ...unnamed } = least;
    expect(wrongIn(unnamed)).toEqual(['bindingInfo.marketplace']);
    expect(wrongIn({ ...least, marketplace: '' })).toEqual(['bindingInfo.marketplace']);
    expect(wrongIn(unnamed, 'ProviderB')).toEqual([]);
    expect(wrongIn({ ...least, marketplace: 'ProviderC' }, 'ProviderC')).toEqual([]);
    for (const marketplace of ['ProviderB', 'ProviderC'] as const) expect(wrongIn(least, marketplace)).toHaveLength(1);
    expect(wrongIn({ ...least, marketplace: 'providera' })).toEqual(['bindingInfo.marketplace']);
  });

  it.each([
    ['no object', 'text', 'bindingInfo'], ['a list', [], 'bindingInfo'],
    ['no installer', { ...least, installerId: null }, 'bindingInfo.installerId'],
    ['a number for it', { ...least, installerId: 5 }, 'bindingInfo.installerId'],
    ['no UUID', { ...least, clusterId: 'x' }, 'bindingInfo.clusterId'],
    ['a long account', { ...least, providerAAccountID: 'x'.repeat(65) }, 'bindingInfo.providerAAccountID'],
    ['no slug', { ...least, adminUsername: 'a b' }, 'bindingInfo.adminUsername'],
    ['an empty password', { ...least, adminPassword: '' }, 'bindingInfo.adminPassword'],
    ['a long password', { ...least, adminPassword: 'x'.repeat(129) }, 'bindingInfo.adminPassword'],
    ['domains in a text', { ...least, domainWhiteList: 'example.org' }, 'bindingInfo.domainWhiteList'],
    ['no domain', { ...least, domainWhiteList: ['example.org', '*.x'] }, 'bindingInfo.domainWhiteList[1]'],
    ['options in a list', { ...least, options: [] }, 'bindingInfo.options'],
    ['infra', { ...least, options: { infra: 5 } }, 'bindingInfo.options.infra'],
    ['a provider', { ...least, options: { infra: { dns: { provider: 1 } } } }, 'bindingInfo.options.infra.dns.provider'],
    ['addresses', { ...least, options: { infra: { dns: { targetIPs: ['x', 1] } } } }, 'bindingInfo.options.infra.dns.targetIPs[1]'],
    ['a bucket', { ...least, options: { infra: { cloudServices: { objstore: { bucket: {} } } } } },
      'bindingInfo.options.infra.cloudServices.objstore.bucket'],
    ['a schedule', { ...least, options: { productbackup: { schedule: true } } }, 'bindingInfo.options.productbackup.schedule'],
    ['deep options', { ...least, options: nested(33) }, 'bindingInfo.options'],
    ['large options', { ...least, options: { x: 'x'.repeat(256 * 1024) } }, 'bindingInfo.options'],
  ])('names the field that is wrong: %s', (_, given, path) => {
    expect(wrongIn(given)).toEqual([path]);
  });

  it('takes reserved names, other options and their known types', () => {
    const options = {
      infra: { dns: { provider: 'none', targetIPs: ['192.0.2.1'] }, cloudServices: { objstore: { auth: { s3: 'x' } } } },
      productbackup: { storageSecret: 'x' }, other: [1, null, { a: true }], deep: nested(31),
    };
    const given = { ...least, adminUsername: 'admin', adminPassword: 'x', options };
    expect(bindingFrom(given, 'ProviderA')).toMatchObject({ adminUsername: 'admin', options });
  });

  it('has its domains in normal form, each once', () => {
    expect(bindingFrom({ ...least, domainWhiteList: ['B.example', 'a.example', 'b.example'] }, 'ProviderA').domainWhiteList)
      .toEqual(['a.example', 'b.example']);
  });
});

it('the audit leaves out secrets wherever they are', () => {
  expect(withoutSecrets({
    infra: { objstore: { auth: { s3: 'a' }, bucket: 'b' } }, productbackup: { storageSecret: 'c', backend: 's3' },
    list: [{ AccessKeyId: 'd', name: 'e', apiToken: 'f' }], adminPassword: 'g', passwd: 'h', Authorization: 'i',
  })).toEqual({ infra: { objstore: { bucket: 'b' } }, productbackup: { backend: 's3' }, list: [{ name: 'e' }] });
});

function nested(depth: number): object {
  return depth === 1 ? {} : { inner: nested(depth - 1) };
}
