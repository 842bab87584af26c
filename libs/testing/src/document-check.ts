import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenApiDocument, Operation, PathItem, Reference, Response, Schema } from '@platform/openapi';
import { type HttpAnswer, isConsolePage } from './http-answer.ts';

/** Checks answers and bodies against an OpenAPI document. */
interface DocumentCheck {
  /**
   * Describes the deviations of an answer from the document; empty if there are none. Answers about the path itself (an
   * unknown path, a wrong verb, OPTIONS) do not belong to an operation.
   * @param target path with its query, as requested.
   */
  problemsOf(verb: string, target: string, answer: HttpAnswer): string[];
  /** Throws an Error with the {@link problemsOf} an answer, if there are any. */
  demand(verb: string, target: string, answer: HttpAnswer): void;
  /** Whether the operation at this path accepts a JSON body. */
  acceptsBody(verb: string, path: string, body: unknown): boolean;
}

/** An operation, and its position in the document as a JSON pointer. */
type Found = Readonly<{ operation: Operation; pointer: string }>;

const dateTime = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** Schemas are compiled at their first use. Answers may not have members that the document does not declare. */
export function documentCheck(document: OpenApiDocument): DocumentCheck {
  const open = validators(() => document);
  const closed = validators(() => withoutUnknownMembers(document));
  const routes = Object.entries(document.paths).map(([path, item]) => ({ path, item, forms: formsOf(path) }));
  // A fixed segment takes precedence over a parameter in its place.
  routes.sort((a, b) => compare(precedence(a.path), precedence(b.path)));

  const find = (verb: string, target: string): Found | undefined => {
    const [path = ''] = target.split('?', 1);
    const key = (verb === 'HEAD' ? 'get' : verb.toLowerCase()) as keyof PathItem;
    for (const form of ['usual', 'withoutRest'] as const) {
      for (const { path: template, item, forms } of routes) {
        const operation = item[key];
        if (operation && forms[form].test(path)) return { operation, pointer: `/paths/${escape(template)}/${key}` };
      }
    }
    return undefined;
  };
  const response = (one: Response | Reference, pointer: string): [Response, string] => {
    if (!('$ref' in one)) return [one, pointer];
    const name = one.$ref.slice('#/components/responses/'.length);
    return [document.components.responses[name]!, `/components/responses/${name}`];
  };

  const problemsOf: DocumentCheck['problemsOf'] = (verb, target, answer) => {
    if (answer.status === 405 || answer.status === 204 && verb === 'OPTIONS') return [];
    if (answer.status === 404 && (verb === 'HEAD' || answer.text === '{"message":"Not Found"}')) return [];
    if (isConsolePage(target, answer)) return [];
    const found = find(verb, target);
    if (!found) return isOutside(target) || answer.status >= 400 ? [] : [`answers ${answer.status}, undocumented`];
    const { operation, pointer } = found;
    const declared = operation.responses[String(answer.status)];
    if (!declared) return [`${operation.operationId} answers ${answer.status}, which is not documented`];
    const [described, at] = response(declared, `${pointer}/responses/${answer.status}`);
    const where = `${operation.operationId} ${answer.status}`;
    return [
      ...headerProblems(document, described, answer),
      ...(verb === 'HEAD' ? [] : bodyProblems(described, at, answer, closed)),
    ].map((problem) => `${where}: ${problem}`);
  };

  return {
    problemsOf,
    demand: (verb, target, answer) => {
      const problems = problemsOf(verb, target, answer);
      if (problems.length > 0) {
        throw new Error(`${verb} ${target} is not as documented:\n${problems.join('\n')}\n${answer.body.toString()}`);
      }
    },
    acceptsBody: (verb, path, body) => {
      const { pointer } = find(verb, path) ?? {};
      if (pointer === undefined) throw new Error(`the document has no ${verb} ${path}`);
      return open(`${pointer}/requestBody/content/application~1json/schema`)(body);
    },
  };
}

/** Whether a path does not belong to the API: the pages of the gateway, and the document itself. */
function isOutside(target: string): boolean {
  return !target.startsWith('/api/v1/') || /^\/api\/v1\/openapi\.json(?:\?|$)/.test(target);
}

function headerProblems(document: OpenApiDocument, { headers = {} }: Response, answer: HttpAnswer): string[] {
  return Object.entries(headers).flatMap(([name, header]) => {
    const { required, schema } = '$ref' in header ? document.components.headers[name]! : header;
    const [value] = answer.headerValues(name);
    if (value === undefined) return required ? [`the header ${name} is missing`] : [];
    if (schema.type === 'integer' && !(/^\d+$/.test(value) && Number(value) >= (schema.minimum ?? 0))) {
      return [`the header ${name} is not an integer of its range: ${value}`];
    }
    return schema.pattern && !new RegExp(schema.pattern).test(value) ? [`the header ${name} is not of its form`] : [];
  });
}

function bodyProblems(
  { content, 'x-codes': codes }: Response, pointer: string, answer: HttpAnswer,
  validatorAt: (pointer: string) => ValidateFunction,
): string[] {
  if (!content) return answer.body.length > 0 ? ['the answer has a body, but no body is documented'] : [];
  if ('*/*' in content) return [];
  const [type = ''] = (answer.header('content-type') ?? '').split(';', 1);
  if (!(type in content)) return [`the content type ${type} is not documented`];
  if (type !== 'application/json') return [];
  const validate = validatorAt(`${pointer}/content/${escape(type)}/schema`);
  // The body is parsed here because the answer may come from another context, whose arrays have another class.
  const parsed = JSON.parse(answer.text) as { code?: string } | null;
  const { code } = parsed ?? {};
  const wrongCode = codes && !codes.includes(code!) ? [`the code ${code} is not documented`] : [];
  if (validate(parsed)) return wrongCode;
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    return `${instancePath || 'the body'} ${message ?? ''} ${JSON.stringify(params)}`;
  });
}

/** Validators by JSON pointer into the document, each compiled at its first use. */
function validators(makeDocument: () => OpenApiDocument): (pointer: string) => ValidateFunction {
  let ajv: Ajv2020 | undefined;
  const known = new Map<string, ValidateFunction>();
  return (pointer) => {
    ajv ??= compilerOf(makeDocument());
    const validate = known.get(pointer) ?? ajv.compile({ $ref: `document#${encodeURI(pointer)}` });
    known.set(pointer, validate);
    return validate;
  };
}

function compilerOf(document: OpenApiDocument): Ajv2020 {
  const any = () => true;
  const ajv = new Ajv2020({
    strict: false,
    // The document as a whole is not a schema. Its schemas are validated where it is generated.
    validateSchema: false,
    allErrors: true,
    // Only own members count; every object inherits other members from its prototype.
    ownProperties: true,
    formats: { int32: any, int64: any, float: any, double: any, 'date-time': dateTime },
  });
  ajv.addSchema(document, 'document');
  return ajv;
}

function withoutUnknownMembers(document: OpenApiDocument): OpenApiDocument {
  const close = (schema: Schema): Schema =>
    schema.properties && schema.additionalProperties === undefined
      ? { ...schema, additionalProperties: false } : schema;
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => [name, close(schema)]);
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}

/** Patterns of the paths of a template. `withoutRest`: its last parameter is empty; tried after all `usual` ones. */
function formsOf(template: string): { readonly usual: RegExp; readonly withoutRest: RegExp } {
  const form = (rest: string) => {
    const segments = template.split('/').map((segment, index, all) => {
      if (!segment.startsWith('{')) return segment.replace(/[.]/g, '\\.');
      return index === all.length - 1 ? rest : '[^/?]+';
    });
    return new RegExp(`^${segments.join('/')}/?$`);
  };
  return { usual: form('[^?]+'), withoutRest: form('') };
}

/** Sort key for the order in which paths are tried: longer paths first, then fixed segments before parameters. */
function precedence(path: string): string[] {
  return path.split('/').map((segment) => (segment.startsWith('{') ? '~' : segment));
}

function compare(a: readonly string[], b: readonly string[]): number {
  if (a.length !== b.length) return b.length - a.length;
  const [one = '', other = ''] = [a.join('/'), b.join('/')];
  return one < other ? -1 : one > other ? 1 : 0;
}

function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
