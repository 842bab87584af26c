import { readFileSync } from 'node:fs';
import type { WriteAuthorizationModelRequest } from '@openfga/sdk';
import syntax from '@openfga/syntax-transformer';

export interface Model {
  /** The model as text that does not depend on the order of types and relations. */
  readonly text: string;
  readonly definition: WriteAuthorizationModelRequest;
}

const modelFile = new URL('../../model/platform.fga', import.meta.url);

let model: Model | undefined;

/** Reads the model of this version of the platform once. @throws Error when the file cannot be read or parsed */
export function readModel(): Model {
  model ??= parseModel(readFileSync(modelFile, 'utf8'));
  return model;
}

/** @throws Error when the text cannot be parsed as OpenFGA's language */
export function parseModel(text: string): Model {
  const definition = syntax.transformer.transformDSLToJSONObject(text) as WriteAuthorizationModelRequest;
  return { definition, text: canonical(definition) };
}

/** Writes the model as text, with sorted types and relations, because the engine does not keep their order. */
export function canonical(definition: WriteAuthorizationModelRequest): string {
  const ordered = [...definition.type_definitions]
    .sort((a, b) => (a.type < b.type ? -1 : 1))
    .map((type) => ({ ...type, relations: byName(type.relations ?? {}) }));
  const json = JSON.stringify({ schema_version: definition.schema_version, type_definitions: ordered });
  return syntax.transformer.transformJSONStringToDSL(json);
}

function byName<Value>(relations: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(relations).sort(([a], [b]) => (a < b ? -1 : 1)));
}
