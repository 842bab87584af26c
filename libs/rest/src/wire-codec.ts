import type { DescMessage } from '@platform/surface';
import protobuf from 'protobufjs';
import 'protobufjs/ext/descriptor/index.js';
import type { Message, MessageDecoders } from './json/decode-message.ts';
import type { MessageEncoders } from './json/encode-message.ts';

/** Bytes ↔ the plain objects that the JSON codec reads and writes. Members are named as in the proto. */
export interface WireCodec {
  encode(message: Message): Buffer;
  /** Members that are set are the object's own; 64-bit integers are `{low, high}`. Throws on bytes that do not fit. */
  decode(bytes: Buffer): Message;
}

/** The codecs that endpoints share. */
export interface Codecs {
  readonly decoders: MessageDecoders;
  readonly encoders: MessageEncoders;
  readonly wire: (type: DescMessage) => WireCodec;
}

/** JSON of depth 64 as `google.protobuf.Value` nests two messages per level, below those of the API. */
const deepestMessage = 200;

/** Made once for an image: it is most of what a REST server does before it listens. */
const roots = new WeakMap<Uint8Array, protobuf.Root>();

/**
 * The codecs of all messages of an image: the generated ones of protobufjs, beneath `@grpc/proto-loader`, whose own
 * conversion of each message (`fromObject`, `toObject`) would be a second one beside the JSON codec's.
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
