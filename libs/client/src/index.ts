/** The platform's API for TypeScript, made from its OpenAPI document. Runs wherever `fetch` is. */
export type * from './generated/api.ts';
export { routes } from './generated/api.ts';
export { type Call, type Client, type ClientOptions, createClient, type ListName, pageSizeOf } from './client.ts';
export { ApiRefusal, type RefusalCode, refusalOf, type Violation } from './refusal.ts';
