export type { AccessRule, Action, Check, OrganizationSource } from './access.ts';
export type { Comments } from './comments.ts';
export { fieldRules, integerRanges, knowsPresence, wrappedField } from './field.ts';
export { parseTemplate, type PathSegment, type PathTemplate, splitPath } from './path-template.ts';
export { type ReasonMeaning, reasons } from './reasons.ts';
export { type HttpBinding, type Method, readSurface, type Surface } from './surface.ts';
export { Answer, Gate } from '@platform/proto/options/platform/options';
export type { DescEnum, DescField, DescMessage } from '@bufbuild/protobuf';
export { ScalarType } from '@bufbuild/protobuf';
