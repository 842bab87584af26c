import type { DescField } from '@bufbuild/protobuf';
import { getOption } from '@bufbuild/protobuf';
import type { Field } from '@platform/proto/options/platform/options';
import { field as fieldOption } from '@platform/proto/options/platform/options';

/** The rules a field carries beyond its type (`platform.field`); all off where it carries none. */
export function fieldRules(field: DescField): Field {
  return getOption(field, fieldOption);
}
