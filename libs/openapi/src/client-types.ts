import type { OpenApiDocument, Operation, Parameter, Reference, Response, Schema } from './document-types.ts';

/** Returns the generated file of libs/client: the types of schemas and operations, and the routes. */
export function clientTypes(document: OpenApiDocument): string {
  const forms = new Set(Object.values(document.paths).flatMap((item) => Object.values(item).flatMap((operation) =>
    operation.requestBody?.content['multipart/form-data']?.schema.$ref ?? [])));
  const described = Object.entries(document.components.schemas);
  // Leave out the schemas of multipart/form-data bodies: the client takes such a body as FormData.
  const schemas = described.filter(([name]) => !forms.has(`#/components/schemas/${name}`)).map(([name, schema]) => {
    const comment = commentOf(schema.description, '');
    return schema.properties
      ? `${comment}export interface ${name} ${membersOf(schema, '')}`
      : `${comment}export type ${name} = ${typeOf(schema, '')};`;
  });
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => ({ path, verb: verb.toUpperCase(), operation })));
  const types = operations.map(({ operation }) => {
    const { operationId, summary, parameters = [] } = operation;
    const facts = [
      `    parameters: ${parametersType(parameters)};`,
      `    body: ${bodyType(operation)};`,
      `    answer: ${answerType(operation)};`,
      `    code:${codesOf(document, operation)};`,
    ];
    return `${commentOf(summary, '  ')}  ${operationId}: {\n${facts.join('\n')}\n  };`;
  });
  const routes = operations.map(({ path, verb, operation }) => {
    const namesIn = (place: Parameter['in']) =>
      `[${(operation.parameters ?? []).filter((one) => one.in === place).map(({ name }) => `'${name}'`).join(', ')}]`;
    const facts = `verb: '${verb}', path: '${path}', query: ${namesIn('query')}, headers: ${namesIn('header')}`;
    return `  ${operation.operationId}: { ${facts} },`;
  });
  return [
    '// Generated from the OpenAPI document by `npm run generate -- --golden`. Do not edit.\n',
    schemas.join('\n\n'),
    '\n/** The request and the answer of each operation, and the codes with which the operation may refuse. */',
    'export interface Operations {',
    types.join('\n'),
    `}\n\n/** The method, the path and the parameters of each operation. */\nexport const routes = {`,
    routes.join('\n'),
    `} as const satisfies Record<keyof Operations, {\n  verb: string; path: string; query: readonly string[]; headers: readonly string[];\n}>;\n`,
  ].join('\n');
}

function parametersType(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return 'Record<string, never>';
  const members = parameters.map((parameter) => {
    const { name, schema, required } = parameter;
    const comment = commentOf(parameter.description, '      ');
    return `${comment}      ${key(name)}${required ? '' : '?'}: ${typeOf(schema, '      ')};`;
  });
  return `{\n${members.join('\n')}\n    }`;
}

function bodyType({ requestBody }: Operation): string {
  if (!requestBody) return 'undefined';
  const { content, required } = requestBody;
  const kinds = Object.entries(content).map(([type, { schema }]) => {
    if (type === 'multipart/form-data') return 'FormData';
    return type === 'application/json' ? typeOf(schema, '    ') : 'Blob';
  });
  return [...kinds, ...(required ? [] : ['undefined'])].join(' | ');
}

function answerType({ responses }: Operation): string {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const types = successes.map(([, response]) => {
    const content = '$ref' in response ? undefined : response.content;
    if (!content) return 'undefined';
    const json = content['application/json'];
    return json ? typeOf(json.schema, '    ') : 'Blob';
  });
  // A redirect has no answer type, because it is meant for browsers.
  return types.length === 0 ? 'undefined' : types.join(' | ');
}

function codesOf({ components }: OpenApiDocument, { responses }: Operation): string {
  const described = (one: Response | Reference): Response =>
    '$ref' in one ? components.responses[one.$ref.slice('#/components/responses/'.length)]! : one;
  const codes = new Set(Object.values(responses).flatMap((response) => described(response)['x-codes'] ?? []));
  return codes.size === 0 ? ' never' : [...codes].sort().map((code) => `\n      | '${code}'`).join('');
}

function typeOf(schema: Schema, margin: string): string {
  const { type, enum: values, items, properties, additionalProperties, anyOf, $ref } = schema;
  if ($ref) return $ref.slice('#/components/schemas/'.length);
  if (anyOf) return anyOf.map((one) => typeOf(one, margin)).join(' | ');
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one }, margin)).join(' | ');
  if (values) return values.map((value) => `'${value}'`).join(' | ');
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'array': {
      const item = typeOf(items!, margin);
      return item.includes('|') ? `readonly (${item})[]` : `readonly ${item}[]`;
    }
    case 'object':
      if (properties) return membersOf(schema, margin);
      if (typeof additionalProperties === 'object') return `Record<string, ${typeOf(additionalProperties, margin)}>`;
      return additionalProperties ? 'Record<string, unknown>' : 'Record<string, never>';
    default:
      return type ?? 'unknown';
  }
}

function membersOf({ properties = {}, required = [] }: Schema, margin: string): string {
  const inner = `${margin}  `;
  const members = Object.entries(properties).map(([name, schema]) => {
    const optional = required.includes(name) ? '' : '?';
    return `${commentOf(schema.description, inner)}${inner}${key(name)}${optional}: ${typeOf(schema, inner)};`;
  });
  return `{\n${members.join('\n')}\n${margin}}`;
}

/** Returns a comment of one line. A text that does not fit is cut. */
function commentOf(text: string | undefined, margin: string): string {
  if (text === undefined || text === '') return '';
  const line = text.replaceAll('\n', ' ').replaceAll('*/', '* /');
  const room = 112 - margin.length;
  return `${margin}/** ${line.length > room ? `${line.slice(0, room - 1)}…` : line} */\n`;
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
}
