import { type Optional, optional } from './config.ts';
import { type AddressKey, type GrpcServiceName, grpcServices } from './services.ts';

/** Picks the addresses of all services that the operator names (see `readConfig`). */
export const addressPicks = Object.fromEntries(grpcServices.map(({ addresses }) => {
  return [addresses, optional(addresses)];
})) as { readonly [Key in AddressKey]: Optional<Key> };

/** The addresses of each service that has any, `host:port` of each replica. */
export function addressesOf(
  config: Readonly<Record<AddressKey, readonly string[] | undefined>>,
): ReadonlyMap<GrpcServiceName, readonly string[]> {
  return new Map(grpcServices.flatMap(({ name, addresses: key }) => {
    const addresses = config[key] ?? [];
    return addresses.length === 0 ? [] : [[name, addresses] as const];
  }));
}
