export {
  type AccessRule, type AccountSource, type Check, fieldsOfAccess, type NamedObject, type ObjectInBody,
  relationsOfCheck,
} from './parsed-access.ts';
export type { AccountRight, ReasonName } from './account-rights.ts';
export type { Comments } from './comments.ts';
export {
  fieldRules, integerRange, integerRanges, isFromHeaders, type ItemLimit, itemLimit, knowsPresence, takesRevision,
  wrappedField,
} from './field.ts';
export { type Deployment, hasListener, isMarketplace, isRegistered, listenerPrefix } from './gates.ts';
export { parseTemplate, splitPath } from './path-template.ts';
export { protoFiles, type ProtoFiles } from './files.ts';
export { type ReasonMeaning, reasons } from './reasons.ts';
export { coversScope, tokenScopes, wholeScope, writingScope } from './scopes.ts';
export { type HttpBinding, type Method, readSurface, statusOf, type Surface } from './surface.ts';
export { Answer, Gate, Makes } from '@platform/proto/options/controlplane/options';
export { type DescEnum, type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
