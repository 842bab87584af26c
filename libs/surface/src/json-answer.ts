import type { DescMessage, FileRegistry } from '@bufbuild/protobuf';
import type { Rest } from '@platform/proto/options/controlplane/options';

/**
 * Returns the message that describes the JSON of a method that answers bytes. Completes `rest` with its types.
 * @throws Error if this message does not exist, or does not have the declared rows
 */
export function readJsonAnswer(rest: Rest, registry: FileRegistry, fullName: string): DescMessage | undefined {
  if (rest.json === '') {
    if (rest.rows === undefined) return undefined;
    throw new Error(`${fullName}: controlplane.rest.rows needs json`);
  }
  const json = registry.getMessage(rest.json);
  if (json === undefined) throw new Error(`${fullName}: controlplane.rest.json names ${rest.json}, which is not a message`);
  rest.mediaType = 'application/json';
  if (rest.rows !== undefined) {
    const rows = json.fields.find(({ jsonName }) => jsonName === rest.rows!.field);
    if (rows?.fieldKind !== 'list' || rows.message === undefined) {
      throw new Error(`${fullName}: ${rest.json} has no list of rows ${rest.rows.field}`);
    }
    rest.rows.type = rows.message.typeName;
  }
  return json;
}
