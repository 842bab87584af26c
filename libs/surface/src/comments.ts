import type { DescEnum, DescEnumValue, DescField, DescMessage, DescMethod, DescService } from '@bufbuild/protobuf';
import type { FileDescriptorSet } from '@bufbuild/protobuf/wkt';
import { standardComment } from './standard-comments.ts';

/** A declaration in a proto file that can have a comment. */
export type Commented = DescMessage | DescField | DescService | DescMethod | DescEnum | DescEnumValue;

/** The comments of the proto files: the text of the OpenAPI document and of the gRPC reference. */
export interface Comments {
  /**
   * Returns the comment of a declaration without its margin, or {@link standardComment} if it has none, or an empty
   * string.
   */
  of(declaration: Commented): string;
}

/** Reads all comments of an image that was built with source information. */
export function readComments(set: FileDescriptorSet): Comments {
  const byPlace = new Map<string, string>();
  for (const file of set.file) {
    for (const location of file.sourceCodeInfo?.location ?? []) {
      const text = location.leadingComments || location.trailingComments;
      if (text) byPlace.set(`${file.name}:${location.path.join('.')}`, unindent(text));
    }
  }
  return {
    of: (declaration) => {
      const written = byPlace.get(`${fileOf(declaration)}:${pathOf(declaration).join('.')}`);
      return written ?? (declaration.kind === 'field' ? standardComment(declaration) : undefined) ?? '';
    },
  };
}

function unindent(text: string): string {
  return text.replace(/^ /gm, '').trim();
}

function fileOf(declaration: Commented): string {
  switch (declaration.kind) {
    case 'field':
    case 'enum_value':
    case 'rpc':
      return declaration.parent.file.proto.name;
    default:
      return declaration.file.proto.name;
  }
}

/** The path of a declaration in its FileDescriptorProto, in the notation of source locations. */
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
