import { type DescField, type DescMessage, getOption, ScalarType } from '@bufbuild/protobuf';
import { type Field, field as fieldOption } from '@platform/proto/options/controlplane/options';
import { Reason } from '@platform/proto/options/controlplane/reason';
import type { ReasonName } from './account-rights.ts';

/** The decoded options of fields. They are kept, because decoding is slow and several readers need them. */
const known = new WeakMap<DescField, Readonly<Field>>();

/** Returns the option `controlplane.field` of a field, or an option with default values if the field has none. */
export function fieldRules(field: DescField): Readonly<Field> {
  const rules = known.get(field) ?? getOption(field, fieldOption);
  known.set(field, rules);
  return rules;
}

/** Whether only a cookie or a header sets the field over REST (`controlplane.field.cookie`, `header`). */
export function isFromHeaders(field: DescField): boolean {
  const { cookie, header } = fieldRules(field);
  return cookie !== '' || header !== '';
}

/** Whether the wire format distinguishes unset from empty. */
export function knowsPresence(field: DescField): boolean {
  if (field.fieldKind === 'list' || field.fieldKind === 'map') return false;
  return field.message !== undefined || field.oneof !== undefined || field.proto.proto3Optional;
}

/**
 * Returns the only field of a wrapper message (`controlplane.field.flatten`). This field is a list or a map.
 * @throws Error unless the message has exactly one field, which is a list or a map
 */
export function wrappedField(wrapper: DescMessage): DescField {
  const [inner, ...others] = wrapper.fields;
  if (!inner || others.length > 0 || (inner.fieldKind !== 'list' && inner.fieldKind !== 'map')) {
    throw new Error(`${wrapper.typeName}: a flattened message must have exactly one field: a list or a map`);
  }
  return inner;
}

export interface ItemLimit {
  readonly most: number;
  readonly reason: ReasonName;
}

/** Returns the item limit of a field (`controlplane.field.max_items`); undefined if the field declares no limit. */
export function itemLimit(field: DescField): ItemLimit | undefined {
  const { maxItems, tooMany } = fieldRules(field);
  if (maxItems === 0) return undefined;
  return { most: maxItems, reason: Reason[tooMany || Reason.TOO_MANY_ITEMS] as ReasonName };
}

const int32 = { least: -(2 ** 31), most: 2 ** 31 - 1 };
const uint32 = { least: 0, most: 2 ** 32 - 1 };
const int64 = { least: -Number.MAX_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER };
const uint64 = { least: 0, most: Number.MAX_SAFE_INTEGER };

/** Ranges of the integer types over REST. Values of the 64-bit types are limited to ±(2^53-1) (open-points 1.7). */
export const integerRanges: Partial<Record<ScalarType, { least: number; most: number }>> = {
  [ScalarType.INT32]: int32,
  [ScalarType.SINT32]: int32,
  [ScalarType.SFIXED32]: int32,
  [ScalarType.UINT32]: uint32,
  [ScalarType.FIXED32]: uint32,
  [ScalarType.INT64]: int64,
  [ScalarType.SINT64]: int64,
  [ScalarType.SFIXED64]: int64,
  [ScalarType.UINT64]: uint64,
  [ScalarType.FIXED64]: uint64,
};

/**
 * Returns the range of an integer field; undefined for other fields. `controlplane.field.most`, if declared, is the
 * maximum. Otherwise, the maximum follows from the type.
 */
export function integerRange(field: DescField): { least: number; most: number } | undefined {
  const range = integerRanges[field.scalar as ScalarType];
  return range && { ...range, most: fieldRules(field).most || range.most };
}

/** Whether a method supports `If-Match` (open-points 18.8). */
export function takesRevision({ input }: { readonly input: DescMessage }): boolean {
  return input.fields.some((field) => fieldRules(field).header === 'if-match');
}
