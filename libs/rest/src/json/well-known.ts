import type { DescMessage } from '@platform/surface';

/** Throws at start for a well-known type without a JSON form, because its JSON would be wrong. `Empty` needs none. */
export function refuseUnsupported({ typeName }: DescMessage): void {
  if (typeName.startsWith('google.protobuf.') && typeName !== 'google.protobuf.Empty') {
    throw new Error(`${typeName} has no JSON form in the gateway; use a message of your own`);
  }
}
