import type { DescMessage } from '@platform/surface';

/** Checks a message type that is converted field by field. @throws Error for a well-known type other than `Empty` */
export function refuseUnsupported({ typeName }: DescMessage): void {
  if (typeName.startsWith('google.protobuf.') && typeName !== 'google.protobuf.Empty') {
    throw new Error(`${typeName} has no JSON form in the gateway; use a message of your own`);
  }
}
