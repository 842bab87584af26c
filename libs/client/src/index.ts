/** A client of the platform's API. Its operations and types are generated from the OpenAPI document. */
export type * from './generated/api.ts';
export { routes } from './generated/api.ts';
export { type Call, type Client, type ClientOptions, createClient, type ListName, pageSizeOf } from './client.ts';
export { ApiRefusal, type RefusalCode, refusalOf, type Violation } from './refusal.ts';
