/** The subset of JSON Schema 2020-12 that the OpenAPI document uses. */
export interface Schema {
  $ref?: string;
  type?: SchemaType | SchemaType[];
  format?: string;
  contentEncoding?: 'base64';
  contentMediaType?: string;
  enum?: readonly (string | null)[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  pattern?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  anyOf?: readonly Schema[];
  description?: string;
  deprecated?: boolean;
}

type SchemaType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
  style?: 'form';
  explode?: boolean;
  example?: unknown;
}

export interface Header {
  description: string;
  /** Whether every response that lists the header contains it. */
  required?: true;
  schema: Schema;
}

export interface Reference { $ref: string }

export interface Encoding { contentType?: string; style?: 'form'; explode?: boolean }

export interface Media {
  schema: Schema;
  example?: unknown;
  /** Encoding of a form's parts, by the name of the part. */
  encoding?: Record<string, Encoding>;
}

export interface Response {
  description: string;
  headers?: Record<string, Header | Reference>;
  content?: Record<string, Media>;
  /** Possible values of `code` in the body of a refusal. Omitted if there is no `code`, or if it can have any value. */
  'x-codes'?: readonly string[];
}

export interface RequestBody {
  required: boolean;
  description?: string;
  content: Record<string, Media>;
}

/** The right and the relation that a caller needs (`x-permission` of an operation). */
export interface Permission {
  right?: string;
  /** Type of the object on which the relation is needed, as in libs/relations/src/table.ts. */
  object?: string;
  /** The needed relation. Omitted if no relation is needed, or if `actions` determines the relation. */
  relation?: string;
  /** The needed relation for each value of a path parameter. */
  actions?: Record<string, string>;
  /**
   * Other needed relations. An entry applies if the request sets a field in `given`. The relation of the first entry
   * that applies replaces `relation`.
   */
  instead?: readonly { given: readonly string[]; relation: string }[];
}

export interface Operation {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description?: string;
  deprecated?: true;
  security?: readonly Record<string, readonly string[]>[];
  parameters?: readonly Parameter[];
  requestBody?: RequestBody;
  responses: Record<string, Response | Reference>;
  'x-access': string;
  'x-permission'?: Permission;
  /** The deployments that register the route. Omitted if all deployments register it. */
  'x-deployment'?: string;
}

export type PathItem = Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete', Operation>>;

export interface OpenApiDocument {
  openapi: '3.1.1';
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } };
  servers: readonly { url: string; description: string }[];
  security: readonly Record<string, readonly string[]>[];
  tags: readonly { name: string; description: string }[];
  paths: Record<string, PathItem>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    headers: Record<string, Header>;
    securitySchemes: Record<string, Record<string, unknown>>;
  };
}
