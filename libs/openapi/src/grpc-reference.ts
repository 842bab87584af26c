import {
  type AccessRule, type Comments, type DescEnum, type DescField, type DescMessage, fieldRules, type Method,
  relationsOfCheck, ScalarType, type Surface,
} from '@platform/surface';
import { refusalsOf } from './refusals.ts';
import { accessTexts, readerText, withinSentence } from './texts.ts';
import { typesOf } from './types-of.ts';

/** Reasons that the introduction names for every method. */
const usual = [
  'INVALID_PARAMETER', 'MALFORMED_BODY', 'VALIDATION_FAILED', 'INTERNAL', 'UNAVAILABLE', 'DEADLINE_EXCEEDED',
];

const introduction = `# gRPC reference

Made from the comments of \`proto/\` by \`npm run generate -- --golden\`. The same rules apply as over REST. A caller sends
a token as metadata \`authorization: Bearer <token>\`. A service or the operator sends its service credential. A refusal
is a \`google.rpc.Status\` with an \`ErrorInfo\` (domain \`platform\`). Each method lists the reasons of its refusals.
Every method may also refuse with ${usual.map(code).join(', ')}.
`;

/** Reasons that are not listed beside methods: the usual reasons, and reasons that follow from the transport. */
const leftOut = new Set([
  ...usual, 'AMBIGUOUS_CREDENTIALS', 'URI_TOO_LONG', 'HEADERS_TOO_LARGE', 'REQUEST_TIMEOUT', 'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE', 'METHOD_NOT_ALLOWED',
]);

export function grpcReference(surface: Surface): string {
  const { methods, comments, registry } = surface;
  const services = [...new Set(methods.map(({ service }) => service))].sort();
  const parts = services.map((name) => {
    const own = methods.filter(({ service }) => service === name);
    const text = readerText(comments.of(registry.getService(name)!));
    return [`## ${name}`, text, ...own.map((method) => methodPart(method))].join('\n\n');
  });
  const types = [...typesOf(methods)].sort((a, b) => (a.typeName < b.typeName ? -1 : 1));
  const messages = types.map((type) => typePart(type, comments));
  return `${[introduction.trimEnd(), ...parts, '## Messages', ...messages].join('\n\n')}\n`;
}

function methodPart(method: Method): string {
  const { name, input, output, json, http, access, comment, repeatable } = method;
  const answer = json === undefined ? linkTo(output) : `${linkTo(output)} with the JSON of ${json.typeName.startsWith("google.") ? "an object" : linkTo(json)}`;
  const facts = [
    `takes ${linkTo(input)}, answers ${answer}`,
    [`for ${accessTexts[access.who]}`, ...needs(access)].join('; needs '),
    ...(http ? [`REST: \`${http.verb} ${http.template}\``] : []),
    ...(repeatable ? ['repeatable'] : []),
  ];
  const reasons = [...refusalsOf(method)].filter((reason) => !leftOut.has(reason)).sort();
  const refusals = reasons.length > 0 ? `\n- refuses with ${reasons.map(code).join(', ')}` : '';
  return `### ${name}\n\n${readerText(comment)}\n\n${facts.map((fact) => `- ${fact}`).join('\n')}${refusals}`;
}

function needs({ right, check }: AccessRule): string[] {
  const texts = right ? [`the right ${code(right.name)}`] : [];
  if (!check) return texts;
  return [...texts, `${relationsOfCheck(check).map(code).join(' or ')} on the ${check.type}`];
}

function typePart(type: DescMessage | DescEnum, comments: Comments): string {
  const lines = type.kind === 'enum'
    ? type.values.map((value) => row(`\`${value.name}\` = ${value.number}`, readerText(comments.of(value))))
    : type.fields.map((field) => row(`\`${typeText(field)} ${field.name}\` = ${field.number}`, fieldText(field, comments)));
  const head = `### ${shortName(type)}\n\n${readerText(comments.of(type))}`;
  return lines.length > 0 ? `${head}\n\n${lines.join('\n')}` : head;
}

function row(what: string, text: string): string {
  return `- ${what}${text === '' ? '' : `: ${withinSentence(text)}`}`;
}

function fieldText(field: DescField, comments: Comments): string {
  return [...(fieldRules(field).required ? ['(required)'] : []), readerText(comments.of(field))].join(' ').trim();
}

function typeText(field: DescField): string {
  const type = field.message ?? field.enum;
  const name = type ? shortName(type) : ScalarType[field.scalar!].toLowerCase();
  if (field.fieldKind === 'list') return `repeated ${name}`;
  if (field.fieldKind === 'map') return `map<${ScalarType[field.mapKey].toLowerCase()}, ${name}>`;
  return field.proto.proto3Optional ? `optional ${name}` : name;
}

/** Returns a link to the heading of a type. GitHub derives the anchor from the heading. */
function linkTo(type: DescMessage): string {
  const name = shortName(type);
  return `[${name}](#${name.toLowerCase().replaceAll('.', '')})`;
}

/** Returns the name without `controlplane.`, for example `orgs.v1.Team`. */
function shortName({ typeName }: DescMessage | DescEnum): string {
  return typeName.replace(/^controlplane\./, '');
}

function code(text: string): string {
  return `\`${text}\``;
}
