import { fileURLToPath } from 'node:url';
import { defaultCacheDirectory, type FindOptions, goProgram } from '@platform/backing';

/** Pin of `tools/lab/go.mod` and `tools/node/go.mod`; the API server reports this version. */
export const kubernetes = '1.32.2';

const version = 'k8s.io/component-base/version';
const [major, minor] = kubernetes.split('.');
/** What the linker sets, so that programs report their version. */
export const versionVariables = [
  `${version}.gitVersion=v${kubernetes}`, `${version}.gitMajor=${major}`, `${version}.gitMinor=${minor}`,
];

/** The one binary with every program of the lab, from the cache or built now. @throws BackingFault */
export async function labBinary(options: FindOptions): Promise<string> {
  const { file } = await goProgram({
    title: 'the Kubernetes lab',
    executable: 'lab',
    version: kubernetes,
    module: fileURLToPath(new URL('../../../tools/lab/', import.meta.url)),
    sources: ['go.mod', 'go.sum', 'main.go'],
    package: '.',
    variables: versionVariables,
    otherwise: 'use a machine where Go can build it',
  }, options.cacheDirectory ?? defaultCacheDirectory(options.environment), options);
  return file;
}
