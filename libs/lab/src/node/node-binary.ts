import { fileURLToPath } from 'node:url';
import { defaultCacheDirectory, type FindOptions, goProgram } from '@platform/backing';
import { kubernetes, versionVariables } from '../binary.ts';

/** Paths of the programs for a Kubernetes node of the lab. Go builds them from source. */
export interface NodeBinaries {
  /** One program with kubelet, kube-proxy, kube-scheduler, a simple DNS server and a TCP forwarder. */
  readonly node: string;
  /** A program that keeps Linux namespaces open. Each pod and the node run this program. */
  readonly pause: string;
}

/** Returns the paths of the programs. Builds the programs that the cache lacks. @throws as {@link goProgram} */
export async function nodeBinaries(options: FindOptions): Promise<NodeBinaries> {
  const build = async (executable: string, from: string): Promise<string> => {
    const { file } = await goProgram({
      title: `the program ${executable} of the Kubernetes lab`,
      executable,
      version: kubernetes,
      module: fileURLToPath(new URL('../../../../tools/node/', import.meta.url)),
      sources: ['go.mod', 'go.sum', 'main.go', 'dns.go', 'pause/main.go'],
      package: from,
      variables: versionVariables,
      otherwise: 'use a machine where Go can build it',
    }, options.cacheDirectory ?? defaultCacheDirectory(options.environment), options);
    return file;
  };
  return { node: await build('node', '.'), pause: await build('pause', './pause') };
}
