import type { Example } from '@platform/proto/examples';
import { type Check, type Comments, type DescMessage, Gate, type Method } from '@platform/surface';
import { bodyOf } from './bodies.ts';
import type { Operation, Permission } from './document-types.ts';
import { parametersOf } from './parameters.ts';
import type { Responses } from './responses.ts';
import type { Schemas } from './schemas.ts';
import { securityOf } from './security.ts';
import { accessTexts, firstSentence, lowerFirst, restText, titleOf } from './texts.ts';

export function operationOf(method: Method, { comments, schemas, responses, name, example = {} }: {
  comments: Comments; schemas: Schemas; responses: Responses; name: string; example: Example | undefined;
}): Operation {
  const { access, rest, comment } = method;
  const security = securityOf(access);
  const parameters = parametersOf(method, comments, example);
  const requestBody = bodyOf(method, name, schemas, example);
  const permission = permissionOf(method);
  const deployment = gateTexts[rest.gate];
  return {
    operationId: lowerFirst(name),
    tags: [tagOf(method)],
    summary: firstSentence(comment),
    description: restText(comment),
    ...(method.deprecated || rest.deprecation ? { deprecated: true as const } : {}),
    ...(security ? { security } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: responses.of(method, name, schemas, example),
    'x-access': accessTexts[access.who],
    ...(access.tokenScope === undefined ? {} : { 'x-scope': access.tokenScope }),
    ...(permission ? { 'x-permission': permission } : {}),
    ...(deployment ? { 'x-deployment': deployment } : {}),
  };
}

export function tagOf({ service }: Method): string {
  return titleOf(service.slice(service.lastIndexOf('.') + 1));
}

/** For each gate, the deployments that register its routes (open-points 1.1). */
const gateTexts: Readonly<Record<Gate, string | undefined>> = {
  [Gate.UNSPECIFIED]: undefined,
  [Gate.HOSTED]: 'Hosted',
  [Gate.BILLING]: 'where billing is enabled',
  [Gate.MARKETPLACE_OR_DEV]: 'ProviderAMarketplace, ProviderBMarketplace, ProviderCMarketplace, or run mode dev',
  [Gate.PROVIDER_A]: 'ProviderAMarketplace',
  [Gate.PROVIDER_C]: 'ProviderCMarketplace',
  [Gate.MARKETPLACE]: 'ProviderAMarketplace, ProviderBMarketplace, ProviderCMarketplace',
  [Gate.LISTENER]: 'Hosted, ProviderAMarketplace, ProviderBMarketplace, ProviderCMarketplace',
  [Gate.MARKETPLACE_OR_BILLING]:
    'ProviderAMarketplace, ProviderBMarketplace, ProviderCMarketplace, or where billing is enabled',
  [Gate.DEV]: 'run mode dev',
  [Gate.TEST]: 'tests',
};

function permissionOf({ access: { right, check }, input }: Method): Permission | undefined {
  if (!right && !check) return undefined;
  return { ...(right ? { right: right.name } : {}), ...(check ? relationOf(check, input) : {}) };
}

/** Returns the JSON name of the field to which the path leads. The path may lead into messages of the request. */
function shownName(input: DescMessage, path: string): string {
  const [first, ...rest] = path.split('.');
  const field = input.fields.find(({ localName }) => localName === first)!;
  return rest.length === 0 ? field.jsonName : shownName(field.message!, rest.join('.'));
}

function relationOf({ type, relation, actions, instead }: Check, input: DescMessage): Permission {
  const relations = [...actions].map(([name, action]) => [name, action.relation] as const);
  return {
    object: type,
    ...(relation === undefined ? {} : { relation }),
    ...(relations.length > 0 ? { actions: Object.fromEntries(relations) } : {}),
    ...(instead.length > 0
      ? { instead: instead.map((one) => ({ ...one, given: one.given.map((path) => shownName(input, path)) })) }
      : {}),
  };
}
