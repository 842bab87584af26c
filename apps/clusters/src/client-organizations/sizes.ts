import { invalidValue } from '@platform/values';

/** Maximum size of the manifests that Open Cluster Management accepts in one ManifestWork, in bytes. */
const mostWorkBytes = 500 * 1_024;
/** Maximum size of the annotations that Kubernetes accepts on one object, in bytes. */
export const mostAnnotationBytes = 256 * 1_024;

/**
 * Refuses manifests that are too large for Open Cluster Management or Kubernetes. Otherwise, the job that creates them
 * would repeat without end.
 * @throws Fault INVALID_VALUE
 */
export function refuseTooLarge(spoke: string, manifests: readonly object[]): void {
  type Annotated = { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } };
  const refuse = (message: string) => invalidValue([{ path: 'annotations', message }]);
  if (manifests.some((one) => bytesOf((one as Annotated).metadata?.annotations ?? {}) > mostAnnotationBytes)) {
    throw refuse('must have at most 256 KiB, including the annotations of the platform');
  }
  if (Buffer.byteLength(JSON.stringify(manifests)) > mostWorkBytes) {
    throw refuse(`must have at most 500 KiB together with namespaces, gateway and permissions on the cluster ${spoke}`);
  }
}

/** The size of annotations in bytes, as Kubernetes computes it. */
export function bytesOf(annotations: Readonly<Record<string, string>>): number {
  return Object.entries(annotations)
    .reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
}
