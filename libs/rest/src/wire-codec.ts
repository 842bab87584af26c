import { type DescField, type DescMessage, ScalarType, type Surface } from '@platform/surface';
import protobuf from 'protobufjs';
import type { Message, MessageDecoders } from './json/decode-message.ts';
import type { MessageEncoders } from './json/encode-message.ts';

/** Converts messages between bytes and plain objects. The keys of the objects are the field names of the proto. */
interface WireCodec {
  encode(message: Message): Buffer;
  /**
   * Fields that are set become own properties; 64-bit integers become numbers or `{low, high}`.
   * @throws Error on invalid bytes
   */
  decode(bytes: Buffer): Message;
}

export interface Codecs {
  readonly decoders: MessageDecoders;
  readonly encoders: MessageEncoders;
  readonly wire: (type: DescMessage) => WireCodec;
}

/** Maximum nesting of messages. JSON of depth 64 needs up to 192 levels. The rest is for the messages around it. */
const deepestMessage = 200;

/** The message types of each registry. They are built once, because building them takes long. */
const roots = new WeakMap<Surface['registry'], protobuf.Root>();

/**
 * Returns a function that returns the codec of a message type in the registry. `@grpc/proto-loader` is slower, because
 * it also converts messages (`fromObject`).
 */
export function readWireCodecs(registry: Surface['registry']): (type: DescMessage) => WireCodec {
  protobuf.util.recursionLimit = deepestMessage;
  protobuf.Reader.recursionLimit = deepestMessage;
  const root = roots.get(registry) ?? rootOf(registry);
  roots.set(registry, root);
  return ({ typeName }) => {
    const type = root.lookupType(typeName);
    return {
      encode: (message) => type.encode(message).finish() as Buffer,
      decode: (bytes) => type.decode(new NumberReader(bytes)) as unknown as Message,
    };
  };
}

function rootOf(registry: Surface['registry']): protobuf.Root {
  const root = new protobuf.Root();
  for (const one of registry) {
    if (one.kind === 'message') root.define(one.typeName.split('.').slice(0, -1)).add(typeOf(one));
  }
  return root;
}

function typeOf({ name, fields }: DescMessage): protobuf.Type {
  const type = new protobuf.Type(name);
  for (const field of fields) {
    const rule = field.fieldKind === 'list' || field.fieldKind === 'map' ? 'repeated' : undefined;
    const options = { packed: field.fieldKind === 'list' && field.packed };
    if (field.fieldKind === 'map') type.add(entryOf(field));
    type.add(new protobuf.Field(field.name, field.number, typeNameOf(field), rule, undefined, options));
  }
  return type;
}

/** The message for the entries of a map. As a `MapField`, a map would lose the key `__proto__`. */
function entryOf(field: DescField & { readonly fieldKind: 'map' }): protobuf.Type {
  const value = field.message === undefined ? scalarName(field.scalar) : `.${field.message.typeName}`;
  return new protobuf.Type(entryName(field))
    .add(new protobuf.Field('key', 1, scalarName(field.mapKey))).add(new protobuf.Field('value', 2, value));
}

const entryName = ({ name }: DescField): string => `${name}_entry`;

function typeNameOf(field: DescField): string {
  if (field.fieldKind === 'map') return entryName(field);
  return field.message === undefined ? scalarName(field.scalar) : `.${field.message.typeName}`;
}

/** An enum (undefined) is an `int32` on the wire. */
const scalarName = (scalar: ScalarType | undefined): string => ScalarType[scalar ?? ScalarType.INT32].toLowerCase();

type Wide = ReturnType<protobuf.Reader['int64']>;

/** Reads integers from 0 to 2^49 - 1 as numbers, because protobufjs creates an object for each 64-bit integer. */
class NumberReader extends protobuf.BufferReader {
  override int64(): Wide {
    return this.#number() ?? super.int64();
  }

  override uint64(): Wide {
    return this.#number() ?? super.uint64();
  }

  /** Reads a varint of up to seven bytes. Reads nothing and returns undefined if the varint is longer. */
  #number(): Wide | undefined {
    const { buf, pos } = this;
    let value = 0;
    for (let at = pos, scale = 1; scale < 2 ** 49; at += 1, scale *= 128) {
      const byte = buf[at]!;
      value += (byte & 127) * scale;
      if (byte < 128) {
        this.pos = at + 1;
        return value as unknown as Wide;
      }
    }
    return undefined;
  }
}
