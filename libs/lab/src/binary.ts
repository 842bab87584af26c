import { fileURLToPath } from 'node:url';
import { defaultCacheDirectory, type FindOptions, goProgram } from '@platform/backing';

/** The version of Kubernetes that the lab's programs report. `tools/lab/go.mod` and `tools/node/go.mod` pin it. */
export const kubernetes = '1.32.2';

const version = 'k8s.io/component-base/version';
const [major, minor] = kubernetes.split('.');
/** Variables that the linker sets, so that the programs report their version. */
export const versionVariables = [
  `${version}.gitVersion=v${kubernetes}`, `${version}.gitMajor=${major}`, `${version}.gitMinor=${minor}`,
];

/**
 * Returns the path of the binary with the lab's programs. Builds the binary if the cache lacks it.
 * @throws as {@link goProgram}
 */
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
