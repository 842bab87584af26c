import { isObject } from '@platform/rest';
import { Fault } from '@platform/faults';
import { invalidValue, lengthProblem, normalDomain, slugKey, uuidProblem, Violations } from '@platform/values';
import type { Marketplace } from '../marketplaces.ts';
import { noteOptions } from './options.ts';

/** A parsed and valid BindingInfo of a notification (spec §2.8). */
export interface Binding {
  readonly installerId: string;
  /** UUID in lower case. */
  readonly clusterUid: string;
  readonly providerAAccountID: string | undefined;
  readonly adminUsername: string | undefined;
  /** If undefined, the platform chooses a password. */
  readonly adminPassword: string | undefined;
  readonly domainWhiteList: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

const path = 'bindingInfo';

/**
 * Parses a BindingInfo (open-points 11.2, 11.8). Keys may be in any letter case, except inside `options`.
 * @throws Fault INVALID_BINDING
 */
export function bindingFrom(given: unknown, marketplace: Marketplace): Binding {
  if (!isObject(given)) throw invalidBinding([{ path, message: 'must be an object' }]);
  const violations = new Violations();
  const members = membersOf(given);
  const textOf = (key: string): string | undefined => {
    const value = members.get(key.toLowerCase()) ?? undefined;
    if (value === undefined || typeof value === 'string') return value;
    violations.note(`${path}.${key}`, 'must be a string');
    return undefined;
  };
  const check = (key: string, value: string | undefined, problemOf: (value: string) => string | undefined): void => {
    if (value !== undefined) violations.note(`${path}.${key}`, problemOf(value));
  };
  const requiredText = (key: string): string => {
    const before = violations.list.length;
    const value = textOf(key) ?? '';
    if (value === '' && violations.list.length === before) violations.note(`${path}.${key}`, 'is required');
    return value;
  };

  const named = marketplace === 'ProviderA' ? requiredText('marketplace') : textOf('marketplace');
  check('marketplace', named || undefined, (name) => (name === marketplace ? undefined : `must be ${marketplace}`));
  const installerId = requiredText('installerId');
  const clusterId = requiredText('clusterId');
  check('clusterId', clusterId || undefined, uuidProblem);
  const providerAAccountID = textOf('providerAAccountID') || undefined;
  check('providerAAccountID', providerAAccountID, (text) => lengthProblem(text, { most: 64 }));
  const adminUsername = textOf('adminUsername') || undefined;
  // Allow reserved names such as `admin`, which `slugProblem` would refuse.
  check('adminUsername', adminUsername, (name) => (slugKey(name) === undefined ? 'must be a slug' : undefined));
  const adminPassword = textOf('adminPassword');
  check('adminPassword', adminPassword, (text) => lengthProblem(text, { least: 1, most: 128 }));
  const domainWhiteList = domainsFrom(members.get('domainwhitelist'), violations);
  const givenOptions = members.get('options') ?? '';
  const options = givenOptions === '' ? {} : givenOptions;
  noteOptions(options, `${path}.options`, violations);
  violations.refuse(invalidBinding);
  return {
    installerId, clusterUid: clusterId.toLowerCase(), providerAAccountID, adminUsername, adminPassword,
    domainWhiteList, options: options as Record<string, unknown>,
  };
}

/** Returns the installer id of a BindingInfo that may be invalid. Undefined if the id is not a string. */
export function installerNamed(given: unknown): string | undefined {
  const id = isObject(given) ? membersOf(given).get('installerid') : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** Returns the fields, keyed by lower-case name. If several names are equal in lower case, the last field counts. */
export function membersOf(given: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(given).map(([key, value]) => [key.toLowerCase(), value]));
}

function domainsFrom(given: unknown, violations: Violations): string[] {
  const at = `${path}.domainWhiteList`;
  if (given === undefined || given === null || given === '') return [];
  if (!Array.isArray(given)) {
    violations.note(at, 'must be a list');
    return [];
  }
  const domains = given.flatMap((text: unknown, index) => {
    const domain = typeof text === 'string' ? normalDomain(text) : undefined;
    if (domain === undefined) violations.note(`${at}[${index}]`, 'must be a domain such as example.org');
    return domain ?? [];
  });
  return [...new Set(domains)].sort();
}

/** Returns the refusal of an invalid binding. Its message names the first invalid field. */
export function invalidBinding(violations: readonly { readonly path: string; readonly message: string }[]): Fault {
  return new Fault('INVALID_BINDING', invalidValue(violations).message, { violations: [...violations] });
}
