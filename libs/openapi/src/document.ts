import type { Example } from '@platform/proto/examples';
import type { Surface } from '@platform/surface';
import type { OpenApiDocument, PathItem } from './document-types.ts';
import { shortNames } from './names.ts';
import { operationOf, tagOf } from './operation.ts';
import { documentPath } from './parameters.ts';
import { errorSchemas, errorsOf } from './error-schemas.ts';
import { headers } from './answer-headers.ts';
import { Responses } from './responses.ts';
import { Schemas } from './schemas.ts';
import { securitySchemes, usualSecurity } from './security.ts';
import { restText } from './texts.ts';
import { typesOf } from './types-of.ts';

const introduction = `Control plane for software sold on Kubernetes.

Every refusal of an operation has the same body. Programs can rely on its \`code\`. Its \`message\` is for people.
Refusals below \`/marketplace/\` have no \`url\`. Unknown paths return 404 with only a \`message\`.
A list returns its first rows, at most 1,000, unless \`page\` or \`limit\` ask for a part. Following
\`Link: rel="next"\` returns every row once, except rows that are created or deleted in the meantime. Lists and usage
views are also available as CSV, with \`Accept: text/csv\` or \`format=csv\`. A CSV response contains all rows.
Integers are JSON numbers up to 2^53-1. Times are RFC 3339 in UTC.
Unknown members and parameters are ignored. If an operation has \`x-deployment\`, only the deployments in
\`x-deployment\` have the operation. Other deployments return 404.`;

/** Examples by the full name of their method. */
export type Examples = ReadonlyMap<string, Example>;

/**
 * Returns the OpenAPI 3.1 document of the methods that have a REST binding.
 * @throws Error if two operations or types have the same name
 */
export function openApiDocument(surface: Surface, examples: Examples = new Map(), basePath = ''): OpenApiDocument {
  const { comments } = surface;
  const bound = surface.methods.filter(({ http }) => http !== undefined);
  const methodNames = shortNames(bound.map(({ fullName }) => fullName));
  const typeNames = shortNames([...typesOf(bound)].map(({ typeName }) => typeName));
  // Generated clients contain types with names that end in `Response`, so schemas must not have such names.
  const nameOf = ({ typeName }: { typeName: string }) => typeNames.get(typeName)!.replace(/Response$/, 'Answer');
  const schemas = new Schemas(comments, nameOf);
  for (const name of ['ApiError', ...bound.flatMap(errorsOf)]) schemas.component(name, () => errorSchemas[name]!);
  const responses = new Responses();

  const paths: Record<string, PathItem> = {};
  for (const method of bound.toSorted((a, b) => (documentPath(a) < documentPath(b) ? -1 : 1))) {
    const item = (paths[documentPath(method)] ??= {});
    const [name, example] = [methodNames.get(method.fullName)!, examples.get(method.fullName)];
    const parts = { comments, schemas, responses, name, example };
    item[method.http!.verb.toLowerCase() as keyof PathItem] = operationOf(method, parts);
  }
  const usedHeaders = new Set(JSON.stringify([paths, responses.components()]).match(/#\/components\/headers\/[\w-]+/g));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Platform API', version: 'v1', description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePath || '/', description: 'The platform that serves this document.' }],
    security: usualSecurity,
    tags: tagsOf(surface, bound),
    paths,
    components: {
      schemas: schemas.components(),
      responses: responses.components(),
      headers: Object.fromEntries(
        Object.entries(headers).filter(([name]) => usedHeaders.has(`#/components/headers/${name}`)),
      ),
      securitySchemes,
    },
  };
}

/** Returns the OpenAPI document as JSON text. @param basePath path of `http.baseURL` without a final slash */
export function openApiText(surface: Surface, examples?: Examples, basePath?: string): string {
  return `${JSON.stringify(openApiDocument(surface, examples, basePath), null, 2)}\n`;
}

function tagsOf({ registry, comments }: Surface, methods: Surface['methods']): OpenApiDocument['tags'] {
  const services = new Map(methods.map((method) => [tagOf(method), method.service]));
  return [...services].sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, service]) => ({ name, description: restText(comments.of(registry.getService(service)!)) }));
}
