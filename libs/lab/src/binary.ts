import { fileURLToPath } from 'node:url';
import { defaultCacheDirectory, type FindOptions, goProgram } from '@platform/backing';

/** Pins of `tools/lab/go.mod`; the API server reports this version. */
const kubernetes = '1.32.2';

const version = 'k8s.io/component-base/version';

/** The one binary with every program of the lab, from the cache or built now. @throws BackingFault */
export async function labBinary(options: FindOptions): Promise<string> {
  const [major, minor] = kubernetes.split('.');
  const { file } = await goProgram({
    title: 'the Kubernetes lab',
    executable: 'lab',
    version: kubernetes,
    module: fileURLToPath(new URL('../../../tools/lab/', import.meta.url)),
    sources: ['go.mod', 'go.sum', 'main.go'],
    package: '.',
    variables: [`${version}.gitVersion=v${kubernetes}`, `${version}.gitMajor=${major}`, `${version}.gitMinor=${minor}`],
    otherwise: 'use a machine where Go can build it',
  }, options.cacheDirectory ?? defaultCacheDirectory(options.environment), options);
  return file;
}
