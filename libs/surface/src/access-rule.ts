import { fromBinary, toBinary } from '@bufbuild/protobuf';
import type { GenMessage } from '@bufbuild/protobuf/codegenv2';
import type { Access } from '@platform/proto/options/controlplane/options';

// Import only types from libs/proto: scripts/prepare/access-types.mjs imports this file before libs/proto is generated.

export const stances = ['internal', 'anonymous', 'public', 'token', 'member'] as const;

/** Whether a rule sets one of the fields {@link stances}. If a method's rule does, the service's rule is ignored. */
export function hasStance(rule: Access | undefined): boolean {
  return stances.some((stance) => rule?.[stance]);
}

/**
 * Returns the access rule of a method. If `own` has a stance, the rule is `own` alone. Otherwise, the rule is `common`
 * with the fields of `own` merged into it. Undefined if both are undefined.
 * @param schema `AccessSchema` of the generated options
 * @param common the access rule for all methods of the service (option `controlplane.each`)
 * @param own the option `controlplane.access` of the method
 */
export function completeAccess(
  schema: GenMessage<Access>, common: Access | undefined, own: Access | undefined,
): Access | undefined {
  if (common === undefined || hasStance(own)) return own;
  // Messages of Protocol Buffers are merged by joining their bytes.
  const parts = [common, ...(own ? [own] : [])].map((rule) => toBinary(schema, rule));
  return fromBinary(schema, Buffer.concat(parts));
}
