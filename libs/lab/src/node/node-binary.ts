import { fileURLToPath } from 'node:url';
import { defaultCacheDirectory, type FindOptions, goProgram } from '@platform/backing';
import { kubernetes, versionVariables } from '../binary.ts';

/** The programs of a node, built by Go. */
export interface NodeBinaries {
  /** kubelet, kube-proxy, kube-scheduler, and what stands in for a cluster's DNS. */
  readonly node: string;
  /** What holds the namespaces of a pod. */
  readonly pause: string;
}

/** The programs of a node, from the cache or built now. @throws BackingFault */
export async function nodeBinaries(options: FindOptions): Promise<NodeBinaries> {
  const build = async (executable: string, from: string): Promise<string> => {
    const { file } = await goProgram({
      title: `${executable} of the Kubernetes lab`,
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
