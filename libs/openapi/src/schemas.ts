import {
  type Comments, type DescEnum, type DescField, type DescMessage, fieldRules, integerRanges, knowsPresence, ScalarType,
  wrappedField,
} from '@platform/surface';
import type { Schema } from './document-types.ts';
import { restText } from './texts.ts';

/** The direction of a message: requests and answers may leave out different fields. */
export type Direction = 'request' | 'answer';

/**
 * Converts messages to JSON Schema. The schemas describe the JSON of the gateway (libs/rest/src/json). For a message in
 * a request, the name of the schema gets the ending `Input`, unless the name already ends in `Request` or `Input`.
 */
export class Schemas {
  readonly #components = new Map<string, Schema>();
  readonly #comments: Comments;
  readonly #nameOf: (type: DescMessage | DescEnum) => string;

  /** @param nameOf returns the short name of a message or an enum */
  constructor(comments: Comments, nameOf: (type: DescMessage | DescEnum) => string) {
    this.#comments = comments;
    this.#nameOf = nameOf;
  }

  components(): Record<string, Schema> {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Adds the component unless it exists, and returns a reference to it. */
  component(name: string, make: () => Schema): Schema {
    if (!this.#components.has(name)) {
      // Register the component before its members are converted, because a message may contain itself.
      this.#components.set(name, {});
      this.#components.set(name, make());
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  message(type: DescMessage, direction: Direction): Schema {
    const special = wellKnown[type.typeName];
    if (special) return special;
    const name = this.#nameOf(type);
    const isInput = direction === 'request' && !/(?:Request|Input)$/.test(name);
    const schema = () => this.described(type, this.members(type.fields, direction));
    return this.component(isInput ? `${name}Input` : name, schema);
  }

  members(fields: readonly DescField[], direction: Direction): Schema {
    const properties = fields.map((field) => [field.jsonName, this.#member(field, direction)] as const);
    const required = fields.filter((field) => isAlwaysThere(field, direction)).map(({ jsonName }) => jsonName);
    return {
      type: 'object',
      ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
      ...(required.length > 0 ? { required } : {}),
    };
  }

  /** Returns the schema of a field's value. Whether the field may be absent does not matter here. */
  value(field: DescField, direction: Direction): Schema {
    switch (field.fieldKind) {
      case 'list':
        // With `single_or_list`, the gateway also accepts a single value. `anyOf` would say this, but generated clients
        // would not compile.
        return { type: 'array', items: this.#element(field, direction) };
      case 'map': {
        const values = { type: 'object', additionalProperties: this.#element(field, direction) } as const;
        return field.mapKey === ScalarType.STRING ? values : { ...values, propertyNames: keySchema(field.mapKey) };
      }
      default:
        return this.#element(field, direction);
    }
  }

  #element(field: DescField, direction: Direction): Schema {
    const { message } = field;
    if (message && fieldRules(field).flatten) return this.value(wrappedField(message), direction);
    if (message) return this.message(message, direction);
    if (field.enum) {
      const type = field.enum;
      return this.component(this.#nameOf(type), () => this.described(type, enumSchema(type)));
    }
    const { values } = fieldRules(field);
    return { ...scalarSchema(field.scalar as ScalarType), ...(values.length > 0 ? { enum: values } : {}) };
  }

  #member(field: DescField, direction: Direction): Schema {
    const value = this.value(field, direction);
    const { required, nullable } = fieldRules(field);
    // In a request, null means absent. In an answer, null means that the field is not set.
    const mayBeNull = direction === 'request' ? !required : nullable;
    return this.described(field, mayBeNull ? orNull(value) : value);
  }

  described(declaration: DescMessage | DescField | DescEnum, schema: Schema): Schema {
    const description = [restText(this.#comments.of(declaration)), choiceText(declaration)]
      .filter((text) => text !== '').join(' ');
    const deprecated = 'deprecated' in declaration && declaration.deprecated ? { deprecated: true } : {};
    return { ...schema, ...(description === '' ? {} : { description }), ...deprecated };
  }
}

/** Returns a sentence that names the fields that exclude this field. Empty if the field is not in a oneof. */
function choiceText(declaration: DescMessage | DescField | DescEnum): string {
  if (declaration.kind !== 'field' || !declaration.oneof) return '';
  const others = declaration.oneof.fields.filter((field) => field !== declaration).map(({ jsonName }) => `\`${jsonName}\``);
  return `Not together with ${others.join(', ')}.`;
}

function isAlwaysThere(field: DescField, direction: Direction): boolean {
  const { required, nullable, omitEmpty, always } = fieldRules(field);
  return direction === 'request' ? required : nullable || always || !(omitEmpty || knowsPresence(field));
}

function orNull(schema: Schema): Schema {
  if (Object.keys(schema).length === 0) return schema;
  if (typeof schema.type === 'string' && schema.enum === undefined) return { ...schema, type: [schema.type, 'null'] };
  return { anyOf: [...(schema.anyOf ?? [schema]), { type: 'null' }] };
}

export function enumSchema({ values }: DescEnum): Schema {
  return { type: 'string', enum: values.map(({ name }) => name) };
}

export function scalarSchema(scalar: ScalarType): Schema {
  switch (scalar) {
    case ScalarType.STRING:
      return { type: 'string' };
    case ScalarType.BOOL:
      return { type: 'boolean' };
    case ScalarType.BYTES:
      return { type: 'string', contentEncoding: 'base64' };
    case ScalarType.FLOAT:
      return { type: 'number', format: 'float' };
    case ScalarType.DOUBLE:
      return { type: 'number', format: 'double' };
    default: {
      const { least, most } = integerRanges[scalar]!;
      return { type: 'integer', format: most > 2 ** 32 ? 'int64' : 'int32', minimum: least, maximum: most };
    }
  }
}

function keySchema(key: ScalarType): Schema {
  return key === ScalarType.BOOL ? { enum: ['true', 'false'] } : { pattern: '^(?:0|-?[1-9][0-9]{0,15})$' };
}

/** Messages with a special JSON form. */
const wellKnown: Readonly<Record<string, Schema>> = {
  'google.protobuf.Struct': { type: 'object', additionalProperties: true },
  'google.protobuf.Value': {},
  'google.protobuf.ListValue': { type: 'array', items: {} },
  'google.protobuf.Timestamp': { type: 'string', format: 'date-time' },
};
