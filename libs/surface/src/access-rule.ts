import { fromBinary, toBinary } from '@bufbuild/protobuf';
import type { GenMessage } from '@bufbuild/protobuf/codegenv2';
import type { Access } from '@platform/proto/options/controlplane/options';

// scripts/prepare/access-types.mjs imports this file before libs/proto is generated: import only types of libs/proto.

export const stances = ['internal', 'anonymous', 'public', 'token', 'member'] as const;

/** Whether a rule has one of the {@link stances}. Such a rule is not combined with the rule of the service. */
export function hasStance(rule: Access | undefined): boolean {
  return stances.some((stance) => rule?.[stance]);
}

/**
 * Returns the access rule of a method. If its own option `controlplane.access` has a stance, this option is used alone.
 * Otherwise it is merged with the option of the service. Undefined if there is neither option.
 * @param schema `AccessSchema` of the generated options
 */
export function completeAccess(
  schema: GenMessage<Access>, common: Access | undefined, own: Access | undefined,
): Access | undefined {
  if (common === undefined || hasStance(own)) return own;
  // Messages of Protocol Buffers are merged by joining their bytes.
  const parts = [common, ...(own ? [own] : [])].map((rule) => toBinary(schema, rule));
  return fromBinary(schema, Buffer.concat(parts));
}
