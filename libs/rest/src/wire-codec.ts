import type { DescMessage } from '@platform/surface';
import protobuf from 'protobufjs';
import 'protobufjs/ext/descriptor/index.js';
import type { Message, MessageDecoders } from './json/decode-message.ts';
import type { MessageEncoders } from './json/encode-message.ts';

/**
 * Converts between bytes and the plain objects that the JSON codec reads and writes. Members have the names of the
 * proto.
 */
export interface WireCodec {
  encode(message: Message): Buffer;
  /**
   * In the result, fields that are set are own properties; 64-bit integers are `{low, high}`. Throws on invalid bytes.
   */
  decode(bytes: Buffer): Message;
}

/** The codecs that endpoints share. */
export interface Codecs {
  readonly decoders: MessageDecoders;
  readonly encoders: MessageEncoders;
  readonly wire: (type: DescMessage) => WireCodec;
}

/**
 * Maximum nesting of messages. Enough for JSON of depth 64: `google.protobuf.Value` nests two messages per level, in
 * addition to the API's own messages.
 */
const deepestMessage = 200;

/** The types of each image. They are built once, because this is most of the work before a REST server listens. */
const roots = new WeakMap<Uint8Array, protobuf.Root>();

/**
 * Returns the codecs of all messages in an image. They use the code that protobufjs generates. `@grpc/proto-loader`
 * would convert each message (`fromObject`, `toObject`) in addition to the conversion by the JSON codec.
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
