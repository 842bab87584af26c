import { type DescField, type DescMessage, fieldRules } from '@platform/surface';

export interface Column {
  /** JSON names of the fields, joined by `.`: `owner.id`. */
  readonly name: string;
  read(row: unknown): unknown;
}

/** Returns the columns of a list (open-points 18.7). Items without fields have one column, `value`. */
export function columnsOf(list: DescField): readonly Column[] {
  return hasFields(list) ? columnsOfMessage(list.message) : [{ name: 'value', read: (row) => row }];
}

/** The columns of rows whose JSON, below `path`, has the form of this message. */
export function columnsOfMessage(
  type: DescMessage, path: readonly string[] = [], above: ReadonlySet<DescMessage> = new Set(),
): readonly Column[] {
  const within = new Set([...above, type]);
  return type.fields.flatMap((field): readonly Column[] => {
    const own = [...path, field.jsonName];
    // A message that contains itself has no fixed number of columns.
    if (field.fieldKind === 'message' && hasFields(field) && !within.has(field.message)) {
      return columnsOfMessage(field.message, own, within);
    }
    return [{ name: own.join('.'), read: (row) => own.reduce(memberOf, row) }];
  });
}

/** Whether the JSON of the field, or of its items, is an object with the fields of the message. */
function hasFields(field: DescField): field is DescField & { message: DescMessage } {
  const { message } = field;
  return message !== undefined && !message.typeName.startsWith('google.protobuf.') && !fieldRules(field).flatten;
}

function memberOf(value: unknown, name: string): unknown {
  return (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
}
