import type { DescMessage } from '@platform/surface';

/** Messages of google.protobuf with a JSON form here; `Empty` is a message like any other. */
const supported = new Set([
  'google.protobuf.Struct',
  'google.protobuf.Value',
  'google.protobuf.ListValue',
  'google.protobuf.Timestamp',
  'google.protobuf.Empty',
]);

/** Throws at start where an API uses a well-known type that has no JSON form here, so that none gets a wrong one. */
export function refuseUnsupported(type: DescMessage): void {
  if (type.typeName.startsWith('google.protobuf.') && !supported.has(type.typeName)) {
    throw new Error(`${type.typeName} has no JSON form in the gateway; use a message of your own`);
  }
}
