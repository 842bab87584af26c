import { create, type DescFile, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import type { Surface } from './surface.ts';

/** The proto files of a {@link Surface}, in the form that gRPC server reflection needs. */
export interface ProtoFiles {
  /** Returns a file and its imports, each a serialized `FileDescriptorProto`; undefined if the file does not exist. */
  byName(name: string): Uint8Array[] | undefined;
  /** Returns the file that declares a symbol, with its imports; undefined if no file is found. */
  declaring(symbol: string): Uint8Array[] | undefined;
  /** Returns the file that extends a message with this field number, with its imports; undefined if there is none. */
  extending(message: string, number: number): Uint8Array[] | undefined;
  /** Returns the numbers of the fields that extend a message; undefined if the message does not exist. */
  extensionsOf(message: string): number[] | undefined;
}

export function protoFiles({ registry }: Surface): ProtoFiles {
  const encoded = new Map<DescFile, Uint8Array>();
  const bytesOf = (file: DescFile): Uint8Array => {
    const known = encoded.get(file);
    if (known) return known;
    const { sourceCodeInfo: _, ...proto } = file.proto;
    const bytes = toBinary(FileDescriptorProtoSchema, create(FileDescriptorProtoSchema, proto));
    encoded.set(file, bytes);
    return bytes;
  };
  const withImports = (file: DescFile | undefined): Uint8Array[] | undefined => {
    if (!file) return undefined;
    const found = new Set([file]);
    for (const one of found) for (const dependency of one.dependencies) found.add(dependency);
    return [...found].map(bytesOf);
  };
  const extensions = [...registry].filter((type) => type.kind === 'extension');
  return {
    byName: (name) => withImports([...registry.files].find((file) => file.proto.name === name)),
    // A method or a field is in the file of its parent.
    declaring: (symbol) =>
      withImports((registry.get(symbol) ?? registry.get(symbol.slice(0, symbol.lastIndexOf('.'))))?.file),
    extending: (message, number) =>
      withImports(extensions.find((one) => one.extendee.typeName === message && one.number === number)?.file),
    extensionsOf: (message) =>
      registry.getMessage(message) &&
      extensions.filter((one) => one.extendee.typeName === message).map(({ number }) => number),
  };
}
