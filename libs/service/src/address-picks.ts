import { type Config, type Optional, optional } from './config.ts';
import {
  type AddressKey, type GrpcServiceName, grpcServices, type PassedPaths, type PassKey, type Service, services,
} from './services.ts';

/** The address settings of all gRPC services, as optional picks for `readConfig`. */
export const addressPicks = Object.fromEntries(grpcServices.map(({ addresses }) => {
  return [addresses, optional(addresses)];
})) as { readonly [Key in AddressKey]: Optional<Key> };

export function addressesOf(
  config: Readonly<Record<AddressKey, readonly string[] | undefined>>,
): ReadonlyMap<GrpcServiceName, readonly string[]> {
  return new Map(grpcServices.flatMap(({ name, addresses: key }) => {
    const addresses = config[key] ?? [];
    return addresses.length === 0 ? [] : [[name, addresses] as const];
  }));
}

const passing = services.flatMap(({ name, passes }) => (passes === undefined ? [] : [{ name, passes }]));

/** The settings that the services name in {@link PassedPaths.addresses}, as optional picks for `readConfig`. */
export const passPicks = Object.fromEntries(passing.map(({ passes: { addresses } }) => {
  return [addresses, optional(addresses as PassKey)];
})) as { readonly [Key in PassKey]: Optional<Key> };

/** Returns the services to which requests are forwarded, with paths and addresses. Omits services without addresses. */
export function passedPathsOf(
  config: Readonly<Record<PassKey, readonly string[] | undefined>>,
): (PassedPaths & { readonly name: Service['name']; readonly at: readonly string[] })[] {
  return passing.flatMap(({ name, passes }) => {
    const at = config[passes.addresses as PassKey] ?? [];
    return at.length === 0 ? [] : [{ ...passes, name, at }];
  });
}

export const baseUrlPicks = { baseUrl: optional('http.baseURL'), httpPort: 'http.port' } as const;

/** `{base_url}` of open-points: the address under which people reach the platform, without a trailing slash. */
export function baseUrlOf({ baseUrl, httpPort }: Config<typeof baseUrlPicks>): string {
  return String(baseUrl ?? `http://127.0.0.1:${httpPort}`).replace(/\/+$/, '');
}
