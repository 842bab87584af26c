import { type DescField, type DescMessage, fieldRules } from '@platform/surface';

export interface Column {
  /** JSON names of the fields from the row to the value, joined by `.` (`owner.id`); `value` if a row has no fields. */
  readonly name: string;
  read(row: unknown): unknown;
}

/** Returns the columns of a list (open-points 18.7). Items without fields have one column, `value`. */
export function columnsOf(list: DescField): readonly Column[] {
  return hasFields(list) ? columnsOfMessage(list.message) : [{ name: 'value', read: (row) => row }];
}

/**
 * Returns the columns of a message, including the fields of nested messages.
 * @param path JSON names that lead from the row to the message
 * @param above messages that contain the message
 */
export function columnsOfMessage(
  type: DescMessage, path: readonly string[] = [], above: ReadonlySet<DescMessage> = new Set(),
): readonly Column[] {
  const within = new Set([...above, type]);
  return type.fields.flatMap((field): readonly Column[] => {
    const own = [...path, field.jsonName];
    // A message inside a message of the same type gets one column, because the depth has no limit.
    if (field.fieldKind === 'message' && hasFields(field) && !within.has(field.message)) {
      return columnsOfMessage(field.message, own, within);
    }
    return [{ name: own.join('.'), read: (row) => own.reduce(memberOf, row) }];
  });
}

/** Whether the field holds messages whose JSON is an object with the fields of the message. */
function hasFields(field: DescField): field is DescField & { message: DescMessage } {
  const { message } = field;
  return message !== undefined && !message.typeName.startsWith('google.protobuf.') && !fieldRules(field).flatten;
}

function memberOf(value: unknown, name: string): unknown {
  return (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
}
