import { readFileSync } from 'node:fs';
import type { WriteAuthorizationModelRequest } from '@openfga/sdk';
import syntax from '@openfga/syntax-transformer';

/** An authorization model, as it is written and as it is sent. */
export interface Model {
  /** Its text in one canonical form, to compare models by. */
  readonly text: string;
  readonly definition: WriteAuthorizationModelRequest;
}

const modelFile = new URL('../../model/platform.fga', import.meta.url);

/** The model of this version of the platform. @throws Error when it is not in OpenFGA's language */
export function readModel(): Model {
  return parseModel(readFileSync(modelFile, 'utf8'));
}

/** @throws Error when the text is not in OpenFGA's language */
export function parseModel(text: string): Model {
  const definition = syntax.transformer.transformDSLToJSONObject(text) as WriteAuthorizationModelRequest;
  return { definition, text: canonical(definition) };
}

/** The canonical text of a model as the engine answers it. */
export function canonical(definition: object): string {
  return syntax.transformer.transformJSONStringToDSL(JSON.stringify(definition));
}
