import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createFileRegistry, fromBinary, getOption } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { completeAccess } from '../../libs/surface/src/access-rule.ts';

/**
 * Writes the TypeScript interface `Promises` to `controlplane/access.ts`. For each method, the interface states what
 * the method's options guarantee to its handler. `Handler` of libs/rpc uses this interface.
 * @param {string} generated folder with the descriptor image and the generated options; also receives the interface
 */
export async function writeAccessTypes(generated) {
  const { access, each, AccessSchema } = await import(
    pathToFileURL(join(generated, 'options/controlplane/options_pb.js')).href
  );
  const { http } = await import(pathToFileURL(join(generated, 'options/google/api/annotations_pb.js')).href);
  const set = fromBinary(FileDescriptorSetSchema, readFileSync(join(generated, 'image.binpb')));
  const types = [...createFileRegistry(set)];
  const services = types.filter(({ kind, typeName }) => kind === 'service' && typeName.startsWith('controlplane.'));
  const lines = services.flatMap((service) => {
    const { typeName } = service;
    const { access: common } = getOption(service, each);
    return service.methods.map((method) => {
      const { caller, account, object } = promisesOf(completeAccess(AccessSchema, common, getOption(method, access)));
      const body = hasRawBody(method, getOption(method, http).body) ? 'raw' : 'none';
      const promises = `caller: '${caller}'; account: '${account}'; object: '${object}'; body: '${body}'`;
      return `  '/${typeName}/${method.name}': { ${promises} };`;
    });
  });
  const text = `// What a handler can rely on, by method. Generated from proto/ by scripts/generate.mjs.
export interface Promises {
${lines.join('\n')}
}
`;
  writeFileSync(join(generated, 'controlplane/access.ts'), text);
}

/** Whether `body` of the option `google.api.http` names a field of type `google.api.HttpBody`. */
function hasRawBody({ input }, body) {
  return input.fields.some(({ name, message }) => name === body && message?.typeName === 'google.api.HttpBody');
}

/** Returns what a method's access rule guarantees to the handler. The parameter is the result of `completeAccess`. */
function promisesOf({ token, member, public: isPublic, organization, organizationOptional, orUser, check }) {
  const named = /^(?!organization:)\w+:\{/;
  return {
    caller: token || member ? 'always' : isPublic ? 'maybe' : 'never',
    account: organization === '' ? 'never' : organizationOptional || orUser ? 'any' : 'organization',
    object: named.test(check) || named.test(organization) ? 'always' : 'never',
  };
}
