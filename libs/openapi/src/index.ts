/** Generates the documentation of the API, and the types of libs/client. */
export { committedFiles } from './committed.ts';
export { type Examples, openApiDocument, openApiText } from './document.ts';
export type {
  Media, OpenApiDocument, Operation, Parameter, PathItem, Permission, Reference, RequestBody, Response, Schema,
} from './document-types.ts';
export { documentPath } from './parameters.ts';
export { refusalsOf, statusesOf } from './refusals.ts';
export { isArrayAnswer } from './responses.ts';
