import {
  type DescField, type DescMessage, fieldRules, knowsPresence, ScalarType, wrappedField,
} from '@platform/surface';
import type { Message } from './decode-message.ts';
import { encodeList, encodeStruct, encodeValue } from './free-form.ts';
import {
  asItIs, defaultOf, type Encode, enumEncoder, type Long, type MapEntry, numberOf, scalarEncoder,
} from './scalars.ts';
import { formatTimestamp } from './timestamp.ts';
import { refuseUnsupported } from './well-known.ts';

type Json = Record<string, unknown>;

/** How one field of a message becomes a member of its JSON. */
interface Member {
  readonly name: string;
  readonly jsonName: string;
  /**
   * Whether inherited properties of the message must be ignored. If false, a field without a value inherits null, or
   * an empty value whose JSON equals the result of `unset`.
   */
  readonly ownOnly: boolean;
  readonly nullable: boolean;
  readonly omitEmpty: boolean;
  /** Undefined if the value is the JSON already. */
  readonly encode: Encode | undefined;
  /** Returns the JSON of a field without a value. Undefined if such a field is left out. */
  readonly unset: (() => unknown) | undefined;
}

/**
 * Encodes messages of the wire codec as JSON. It compiles each message type once. A message has own properties for
 * the fields that are set.
 */
export class MessageEncoders {
  readonly #known = new Map<DescMessage, Encode>();

  of(type: DescMessage): Encode {
    const known = this.#known.get(type);
    if (known) return known;
    const special = wellKnown[type.typeName];
    if (special) return special;
    refuseUnsupported(type);
    let members: readonly Member[] = [];
    let compiled: Encode | undefined;
    const encode: Encode = (message) => (compiled ??= compile(members))(message);
    this.#known.set(type, encode);
    members = type.fields.map((field) => this.#member(field));
    return encode;
  }

  value(field: DescField): Encode {
    const item = this.#element(field);
    if (field.fieldKind === 'map') return this.#map(field, item);
    return field.fieldKind === 'list' ? (list: readonly never[]) => list.map((element) => item(element)) : item;
  }

  /** The encoded map is an object without a prototype, so that `__proto__` is an ordinary key. */
  #map(field: DescField & { fieldKind: 'map' }, item: Encode): Encode {
    const key = scalarEncoder(field.mapKey) as (value: unknown) => unknown;
    const keyOfNone = defaultOf(field.mapKey);
    const valueOfNone = field.mapKind === 'scalar' ? defaultOf(field.scalar) : field.mapKind === 'enum' ? 0 : {};
    return (entries: readonly MapEntry[]) => {
      const json = Object.create(null) as Json;
      for (const entry of entries) {
        const name = Object.hasOwn(entry, 'key') ? key(entry.key) : keyOfNone;
        json[String(name)] = item((Object.hasOwn(entry, 'value') ? entry.value : valueOfNone) as never);
      }
      return json;
    };
  }

  /**
   * Compiles an encoder that returns one field of a message, such as the field of `response_body`. An unset field has
   * the empty value of its type. This value is null for a field with a message.
   */
  fieldOf(field: DescField): (message: Message) => unknown {
    const encode = this.value(field);
    const empty = emptyOf(field);
    return (message) => (Object.hasOwn(message, field.name) ? encode(message[field.name] as never) : empty());
  }

  #element(field: DescField): Encode {
    const { message } = field;
    if (message) return fieldRules(field).flatten ? (this.fieldOf(wrappedField(message)) as Encode) : this.of(message);
    if (field.enum) return enumEncoder(field.enum);
    return scalarEncoder(field.scalar as ScalarType);
  }

  /**
   * A nullable field without a value is null. Another field without a value is left out if it has presence or
   * `omit_empty`. Otherwise it has the empty value of its type. With `omit_empty`, an empty value counts as no value.
   */
  #member(field: DescField): Member {
    const { name, jsonName } = field;
    const { nullable, omitEmpty } = fieldRules(field);
    const encode = this.value(field);
    const unset = nullable ? () => null : omitEmpty || knowsPresence(field) ? undefined : emptyOf(field);
    const ownOnly = name in Object.prototype || (field.fieldKind !== 'message'
      && (nullable || knowsPresence(field) || field.scalar === ScalarType.BYTES));
    return { name, jsonName, ownOnly, nullable, omitEmpty, encode: encode === asItIs ? undefined : encode, unset };
  }
}

/**
 * Returns a function that encodes messages of one type. It is generated JavaScript with the names of the fields as
 * constants, because V8 reads and writes such properties ten times faster. protobufjs generates its decoders likewise.
 */
function compile(members: readonly Member[]): Encode {
  const code = `return (message) => { const json = {}; let value; ${members.map(codeOf).join('\n')} return json; };`;
  return new Function('members', 'isEmpty', code)(members, isEmpty) as Encode;
}

function codeOf({ name, jsonName, ownOnly, nullable, omitEmpty, encode, unset }: Member, index: number): string {
  const key = JSON.stringify(name);
  const target = `json[${JSON.stringify(jsonName)}]`;
  const isSet = `value !== undefined && value !== null${ownOnly ? ` && Object.hasOwn(message, ${key})` : ''}`;
  const encoded = encode ? `members[${index}].encode(value)` : 'value';
  const set = omitEmpty
    ? `const encoded = ${encoded}; if (!isEmpty(encoded)) ${target} = encoded; ${nullable ? `else ${target} = null;` : ''}`
    : `${target} = ${encoded};`;
  const otherwise = unset ? `else ${target} = members[${index}].unset();` : '';
  return `value = message[${key}]; if (${isSet}) { ${set} } ${otherwise}`;
}

function emptyOf(field: DescField): () => unknown {
  if (field.fieldKind === 'list') return () => [];
  if (field.fieldKind === 'map') return () => ({});
  if (field.fieldKind === 'message') return () => null;
  const value = field.fieldKind === 'enum' ? field.enum.values[0]!.name : defaultOf(field.scalar);
  return () => value;
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === '' || value === 0 || value === false;
  for (const _ in value) return false;
  return true;
}

const wellKnown: Readonly<Record<string, Encode>> = {
  'google.protobuf.Struct': encodeStruct as Encode,
  'google.protobuf.Value': encodeValue as Encode,
  'google.protobuf.ListValue': encodeList as Encode,
  'google.protobuf.Timestamp': (({ seconds }: { seconds: Long | number }) =>
    formatTimestamp(numberOf(seconds))) as Encode,
};
