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
  if (workBytesOf(manifests) > mostWorkBytes) {
    throw refuse(`must have at most 500 KiB together with namespaces, gateway and permissions on the cluster ${spoke}; `
      + 'each <, > and & counts as six bytes');
  }
}

/**
 * The size of the manifests of a ManifestWork in bytes, as the webhook of Open Cluster Management counts it
 * (findings/ocm-counts-some-characters-of-manifests-six-times.sh): the JSON of Go, which writes each `<`, `>`, `&`,
 * U+2028 and U+2029 as an escape of six bytes. Each manifest has a header of protobuf, too: one byte, and its length in
 * groups of seven bits.
 */
function workBytesOf(manifests: readonly object[]): number {
  return manifests.reduce((sum, manifest) => {
    const bytes = Buffer.byteLength(JSON.stringify(manifest).replaceAll(/[<>&\u2028\u2029]/g, String.raw`\u0000`));
    return sum + 1 + Math.ceil(Math.log2(bytes + 1) / 7) + bytes;
  }, 0);
}

/** The size of annotations in bytes, as Kubernetes computes it. */
export function bytesOf(annotations: Readonly<Record<string, string>>): number {
  return Object.entries(annotations)
    .reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
}
