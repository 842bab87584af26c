import type { DescMessage } from '@platform/surface';

/** Messages of google.protobuf with a special JSON form here; `Empty` is an ordinary message. */
const supported = new Set([
  'google.protobuf.Struct', 'google.protobuf.Value', 'google.protobuf.ListValue', 'google.protobuf.Timestamp',
  'google.protobuf.Empty',
]);

/** Throws at start if the API uses a well-known type without a JSON form here, because its JSON would be wrong. */
export function refuseUnsupported(type: DescMessage): void {
  if (type.typeName.startsWith('google.protobuf.') && !supported.has(type.typeName)) {
    throw new Error(`${type.typeName} has no JSON form in the gateway; use a message of your own`);
  }
}
