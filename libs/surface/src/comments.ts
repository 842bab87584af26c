import {
  type DescEnum, type DescEnumValue, type DescField, type DescMessage, type DescMethod, type DescService, ScalarType,
} from '@bufbuild/protobuf';
import type { FileDescriptorSet } from '@bufbuild/protobuf/wkt';
import { standardComment } from './standard-comments.ts';

type Commented = DescMessage | DescField | DescService | DescMethod | DescEnum | DescEnumValue;

/** Comments of the proto files, for the OpenAPI document and the gRPC reference. */
export interface Comments {
  /**
   * Returns the comment of a declaration, without the space at the start of each line. A field without a comment gets
   * its {@link standardComment}, or else the comment of an {@link earlier} field. Empty if no comment is found.
   */
  of(declaration: Commented): string;
}

/** @param set must contain source information, because the comments are part of it */
export function readComments(set: FileDescriptorSet): Comments {
  const byPlace = new Map<string, string>();
  for (const file of set.file) {
    for (const location of file.sourceCodeInfo?.location ?? []) {
      const text = location.leadingComments || location.trailingComments;
      if (text) byPlace.set(`${file.name}:${location.path.join('.')}`, text.replace(/^ /gm, '').trim());
    }
  }
  const written = (one: Commented) => byPlace.get(`${fileOf(one)}:${pathOf(one).join('.')}`);
  return {
    of: (declaration) => {
      const own = written(declaration);
      if (own !== undefined || declaration.kind !== 'field') return own ?? '';
      return standardComment(declaration) ?? earlier(declaration).map(written).find((text) => text !== undefined) ?? '';
    },
  };
}

/**
 * Returns the fields with the same name and scalar type in earlier requests of the same file. Fields of the nearest
 * request come first. The list is empty unless the field is a string, an int32 or an int64 of a request.
 */
function earlier(field: DescField): DescField[] {
  const { file, typeName } = field.parent;
  if (field.fieldKind !== 'scalar' || !namingTypes.includes(field.scalar)) return [];
  const inputs = new Set(file.services.flatMap(({ methods }) => methods.map(({ input }) => input.typeName)));
  if (!inputs.has(typeName)) return [];
  const above = file.messages.slice(0, file.messages.indexOf(field.parent)).toReversed();
  return above.filter((message) => inputs.has(message.typeName)).flatMap(({ fields }) =>
    fields.filter(({ name, scalar }) => name === field.name && scalar === field.scalar));
}

const namingTypes: readonly ScalarType[] = [ScalarType.STRING, ScalarType.INT64, ScalarType.INT32];

function fileOf(declaration: Commented): string {
  const isPart = declaration.kind === 'field' || declaration.kind === 'enum_value' || declaration.kind === 'rpc';
  return (isPart ? declaration.parent : declaration).file.proto.name;
}

/** The path of a declaration in its FileDescriptorProto, as in `SourceCodeInfo.Location.path`. */
function pathOf(declaration: Commented): number[] {
  switch (declaration.kind) {
    case 'service':
      return [6, declaration.file.services.indexOf(declaration)];
    case 'rpc':
      return [...pathOf(declaration.parent), 2, declaration.parent.methods.indexOf(declaration)];
    case 'message':
      return declaration.parent
        ? [...pathOf(declaration.parent), 3, declaration.parent.nestedMessages.indexOf(declaration)]
        : [4, declaration.file.messages.indexOf(declaration)];
    case 'field':
      return [...pathOf(declaration.parent), 2, declaration.parent.fields.indexOf(declaration)];
    case 'enum':
      return declaration.parent
        ? [...pathOf(declaration.parent), 4, declaration.parent.nestedEnums.indexOf(declaration)]
        : [5, declaration.file.enums.indexOf(declaration)];
    case 'enum_value':
      return [...pathOf(declaration.parent), 2, declaration.parent.values.indexOf(declaration)];
  }
}
