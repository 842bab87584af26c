import type { DescMessage } from '@platform/surface';

/** Throws at start for a well-known type without a JSON form here. `Empty` is encoded like any other message. */
export function refuseUnsupported({ typeName }: DescMessage): void {
  if (typeName.startsWith('google.protobuf.') && typeName !== 'google.protobuf.Empty') {
    throw new Error(`${typeName} has no JSON form in the gateway; use a message of your own`);
  }
}
