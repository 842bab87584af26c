import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { until } from './until.ts';

/** An object of Kubernetes. */
interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** Schemas of an API server, used as `kubeconform -strict` does: a field that a schema does not have is a finding. */
export interface KubernetesSchemas {
  /** Returns the problems of the objects, one line each; empty if there are no problems. */
  findings(objects: readonly KubernetesObject[]): Promise<readonly string[]>;
}

interface Schema {
  readonly 'properties'?: object;
  additionalProperties?: unknown;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-group-version-kind'?: readonly Readonly<Record<'group' | 'version' | 'kind', string>>[];
}

type Document = Readonly<{ components: { readonly schemas: Readonly<Record<string, Schema>> } }>;

/**
 * Reads the schemas of an API server at `/openapi/v3` when they are needed.
 * @param read gets a path of the API server as JSON
 */
export function openKubernetesSchemas(read: (path: string) => Promise<unknown>): KubernetesSchemas {
  // Do not validate formats: they are formats of OpenAPI, such as int32, which Ajv does not know.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, code: { regExp: goPattern } });
  const documents = new Map<string, Promise<Document>>();
  const validators = new Map<string, ValidateFunction>();

  async function readDocument(apiVersion: string): Promise<Document> {
    // The API server shows a new definition only a moment after its creation.
    const path = await until(async () => {
      const { paths } = await read('/openapi/v3') as { paths: Readonly<Record<string, { serverRelativeURL: string }>> };
      return paths[`${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}`]?.serverRelativeURL;
    }, { what: `the API server knows ${apiVersion}` });
    const document = await read(path) as Document;
    close(document.components);
    ajv.addSchema({ components: document.components }, apiVersion);
    return document;
  }

  async function validatorOf({ apiVersion, kind }: KubernetesObject): Promise<ValidateFunction> {
    const document = documents.get(apiVersion) ?? readDocument(apiVersion);
    documents.set(apiVersion, document);
    const { components: { schemas } } = await document;
    const [version, group = ''] = apiVersion.split('/').toReversed();
    const found = Object.entries(schemas).find(([, { 'x-kubernetes-group-version-kind': kinds = [] }]) => {
      return kinds.some((one) => one.group === group && one.version === version && one.kind === kind);
    });
    if (found === undefined) throw new Error(`the API server has no schema of ${apiVersion} ${kind}`);
    const $ref = `${apiVersion}#/components/schemas/${found[0]}`;
    const validator = validators.get($ref) ?? ajv.compile({ $ref });
    validators.set($ref, validator);
    return validator;
  }

  return {
    findings: async (objects) => (await Promise.all(objects.map(async (object) => {
      const validate = await validatorOf(object);
      const fits: boolean = validate(object);
      if (fits) return [];
      return validate.errors!.map(({ instancePath, message, params }) => {
        return `${object.kind} ${object.metadata.name}${instancePath}: ${message} ${JSON.stringify(params)}`;
      });
    }))).flat(),
  };
}

/** Patterns have the syntax of Go, in which `(?i)` makes the whole pattern ignore case. */
const goPattern = Object.assign((pattern: string, flags: string): RegExp => {
  return new RegExp(pattern.replace('(?i)', ''), pattern.includes('(?i)') ? `${flags}i` : flags);
}, { code: 'goPattern' });

/** Makes every schema that has properties refuse other properties. */
function close(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const part of Object.values(schema)) close(part);
  const { properties, additionalProperties } = schema as Schema;
  const isOpen = (schema as Schema)['x-kubernetes-preserve-unknown-fields'] === true;
  if (typeof properties === 'object' && additionalProperties === undefined && !isOpen) {
    (schema as Schema).additionalProperties = false;
  }
}
