import { CoreV1Api } from '@kubernetes/client-node';
import type { Deadline } from '@platform/service';
import { Conflicted } from './objects.ts';
import type { OwnNamespace } from './own-namespace.ts';
import { codeOf, unexpected, unlessMissing } from './translate-failure.ts';

const mergePatch = 'application/merge-patch+json';

export interface SecretContent {
  readonly texts: ReadonlyMap<string, string>;
  /** `resourceVersion` of the Secret when it was read. */
  readonly resourceVersion: string;
}

export async function readSecret(
  { cluster, namespace }: OwnNamespace, name: string, deadline: Deadline,
): Promise<SecretContent | undefined> {
  const found = await cluster.call(CoreV1Api, (core) => core.readNamespacedSecret({ name, namespace }), deadline)
    .catch(unlessMissing);
  if (found === undefined) return undefined;
  const texts = Object.entries(found.data ?? {})
    .map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')] as const);
  return { texts: new Map(texts), resourceVersion: found.metadata?.resourceVersion ?? '' };
}

/**
 * Writes the values of `texts` to the Secret `name`, and creates the Secret if it did not exist. Other keys stay
 * unchanged.
 * @param before the Secret as it was read; undefined if it did not exist
 * @throws Conflicted if the Secret was created, changed or deleted after it was read
 */
export async function writeSecret(
  { cluster, namespace }: OwnNamespace, name: string, texts: Iterable<readonly [string, string]>,
  before: SecretContent | undefined, deadline: Deadline,
): Promise<void> {
  const data = Object.fromEntries([...texts].map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
  const body = { metadata: { name, ...(before && { resourceVersion: before.resourceVersion }) }, data };
  const write = before === undefined
    ? cluster.call(CoreV1Api, (core) => core.createNamespacedSecret({ namespace, body }), deadline)
    : cluster.call(CoreV1Api, (core) => core.patchNamespacedSecret({ name, namespace, body }), deadline, mergePatch);
  await write.catch((error: unknown) => {
    if (codeOf(error) === 404 || codeOf(error) === 409) throw new Conflicted();
    throw unexpected(error);
  });
}
