import type { DescField, DescMessage, ItemLimit, ScalarType } from '@platform/surface';
import { fieldRules, itemLimit, wrappedField } from '@platform/surface';
import { decodeList, decodeStruct, decodeValue, isObject } from './free-form.ts';
import { Place, type Problems } from './problems.ts';
import { type Decode, enumDecoder, mapDecoder, mapKeyDecoder, scalarDecoder } from './scalars.ts';
import { parseTimestamp } from './timestamp.ts';
import { refuseUnsupported } from './well-known.ts';

/** A message as the wire codec expects it. Its keys are the field names of the proto (`object_type`). */
export type Message = Record<string, unknown>;

type DecodeMembers = (json: Record<string, unknown>, message: Message, at: Place, problems: Problems) => void;

/**
 * Decodes JSON into messages. It compiles each message type once. It leaves out invalid values and reports problems.
 */
export class MessageDecoders {
  readonly #known = new Map<DescMessage, Decode>();

  of(type: DescMessage): Decode {
    const known = this.#known.get(type);
    if (known) return known;
    const special = wellKnown[type.typeName];
    if (special) return special;
    refuseUnsupported(type);
    // The decoder is registered before its fields are compiled, because a message may contain itself.
    let members: DecodeMembers = () => undefined;
    const decode: Decode = (json, up, step, problems) => {
      if (!isObject(json)) return problems.add(up, step, 'must be an object');
      const message: Message = {};
      members(json, message, new Place(up, step), problems);
      return message;
    };
    this.#known.set(type, decode);
    members = this.members(type.fields);
    return decode;
  }

  /** Compiles a reader that reads these fields of a message from a JSON object. */
  members(fields: readonly DescField[]): DecodeMembers {
    const readers = fields.map((field) => this.#member(field));
    const choices = choicesAmong(fields);
    return (json, message, at, problems) => {
      for (const read of readers) read(json, message, at, problems);
      for (const choice of choices) choice(message, at, problems);
    };
  }

  /** Compiles a decoder of the value of a field. @param limit maximum number of items of a list or map */
  value(field: DescField, limit = itemLimit(field)): Decode {
    const item = this.#element(field);
    if (field.fieldKind === 'map') return mapDecoder(mapKeyDecoder(field.mapKey), item, limit);
    if (field.fieldKind !== 'list') return item;
    return fieldRules(field).singleOrList ? singleOrList(item, limit) : listDecoder(item, limit);
  }

  #element(field: DescField): Decode {
    const { message } = field;
    if (message) return fieldRules(field).flatten ? this.#flattened(field, message) : this.of(message);
    if (field.enum) return enumDecoder(field.enum);
    return scalarDecoder(field.scalar as ScalarType);
  }

  #flattened(field: DescField, wrapper: DescMessage): Decode {
    const inner = wrappedField(wrapper);
    const own = field.fieldKind === 'message' ? itemLimit(field) : undefined;
    const decode = this.value(inner, own ?? itemLimit(inner));
    return (json, up, step, problems) => {
      const value = decode(json, up, step, problems);
      return value === undefined ? undefined : { [inner.name]: value };
    };
  }

  #member(field: DescField): DecodeMembers {
    const { name, jsonName } = field;
    const { required } = fieldRules(field);
    const decode = this.value(field);
    // Only own members count. Each object also inherits members, such as `constructor`.
    const inherited = jsonName in {};
    return (json, message, at, problems) => {
      const given = inherited && !Object.hasOwn(json, jsonName) ? undefined : json[jsonName];
      if (given === undefined || given === null) {
        if (required) problems.add(at, jsonName, 'is required');
        return;
      }
      const value = decode(given, at, jsonName, problems);
      if (value !== undefined) message[name] = value;
    };
  }
}

function listDecoder(item: Decode, limit: ItemLimit | undefined): Decode {
  return (json, up, step, problems) => {
    if (!Array.isArray(json)) return problems.add(up, step, 'must be a list');
    if (!problems.fits(up, step, json.length, limit)) return undefined;
    const at = new Place(up, step);
    const list: unknown[] = [];
    for (let index = 0; index < json.length; index += 1) {
      const value = item(json[index], at, index, problems);
      if (value !== undefined) list.push(value);
    }
    return list;
  };
}

function singleOrList(item: Decode, limit: ItemLimit | undefined): Decode {
  const list = listDecoder(item, limit);
  return (json, up, step, problems) => {
    if (Array.isArray(json)) return list(json, up, step, problems);
    const value = item(json, up, step, problems);
    return value === undefined ? undefined : [value];
  };
}

/** Returns a check for each oneof: at most one of its members may be set. */
function choicesAmong(fields: readonly DescField[]): ((message: Message, at: Place, problems: Problems) => void)[] {
  const oneofs = new Set(fields.map(({ oneof }) => oneof).filter((oneof) => oneof !== undefined));
  return [...oneofs].map(({ fields: members }) => (message, at, problems) => {
    const [, second] = members.filter(({ name }) => Object.hasOwn(message, name));
    if (second) {
      const names = members.map(({ jsonName }) => jsonName).join(', ');
      problems.add(at, second.jsonName, `conflicts with another field: only one of ${names} may be given`);
    }
  });
}

const wellKnown: Readonly<Record<string, Decode>> = {
  'google.protobuf.Struct': decodeStruct,
  'google.protobuf.Value': decodeValue,
  'google.protobuf.ListValue': decodeList,
  'google.protobuf.Timestamp': (json, up, step, problems) => {
    const moment = typeof json === 'string' ? parseTimestamp(json) : undefined;
    return moment ?? problems.add(up, step, 'must be a time such as 2026-11-21T09:30:00Z');
  },
};
