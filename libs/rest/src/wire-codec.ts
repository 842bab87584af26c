import type { DescMessage } from '@platform/surface';
import protobuf from 'protobufjs';
import 'protobufjs/ext/descriptor/index.js';
import type { Message, MessageDecoders } from './json/decode-message.ts';
import type { MessageEncoders } from './json/encode-message.ts';

/** Converts messages between bytes and plain objects. The keys of the objects are the field names of the proto. */
interface WireCodec {
  encode(message: Message): Buffer;
  /** Fields that are set become own properties; 64-bit integers become `{low, high}`. @throws Error on invalid bytes */
  decode(bytes: Buffer): Message;
}

export interface Codecs {
  readonly decoders: MessageDecoders;
  readonly encoders: MessageEncoders;
  readonly wire: (type: DescMessage) => WireCodec;
}

/** Maximum nesting of messages. JSON of depth 64 needs up to 192 levels. The rest is for the messages around it. */
const deepestMessage = 200;

/** The message types of each descriptor image. They are built once, because building them takes long. */
const roots = new WeakMap<Uint8Array, protobuf.Root>();

/**
 * Returns a function that returns the codec of a message type in a descriptor image. `@grpc/proto-loader` is slower,
 * because it also converts messages (`fromObject`).
 */
export function readWireCodecs(image: Uint8Array): (type: DescMessage) => WireCodec {
  protobuf.util.recursionLimit = deepestMessage;
  protobuf.Reader.recursionLimit = deepestMessage;
  const descriptors = protobuf.Root as unknown as { fromDescriptor(image: Uint8Array): protobuf.Root };
  const root = roots.get(image) ?? descriptors.fromDescriptor(image);
  roots.set(image, root);
  return ({ typeName }) => {
    const type = root.lookupType(typeName);
    return {
      encode: (message) => type.encode(message).finish() as Buffer,
      decode: (bytes) => type.decode(bytes) as unknown as Message,
    };
  };
}
