import type { QueuedEvent } from '../store/queue.ts';

/** Parts of a resource that nothing is billed by. The part that is needed least comes first. */
const optionalParts: readonly (readonly string[])[] = [
  ['spec', 'pods'], ['spec', 'storage'], ['metadata', 'labels'], ['spec', 'namespace', 'aceOrgMetadata'],
  ['kubernetes', 'controlPlane', 'dnsNames'], ['kubernetes', 'controlPlane', 'ipAddresses'],
  ['kubernetes', 'storageProvisioners'],
];

/**
 * Leaves optional parts out of an event until it fits into a message. The same event is always cut in the same way, so
 * a repeat stays a repeat.
 * @returns undefined if it does not fit without all of them
 */
export function fitEvent(event: QueuedEvent, mostBytes: number): QueuedEvent | undefined {
  const { seq, text } = event;
  if (Buffer.byteLength(text) <= mostBytes) return event;
  const content = JSON.parse(text) as { data: { resource: object } };
  for (const path of optionalParts) {
    remove(content.data.resource, path);
    const shorter = JSON.stringify(content);
    if (Buffer.byteLength(shorter) <= mostBytes) return { seq, text: shorter };
  }
  return undefined;
}

function remove(from: object, path: readonly string[]): void {
  const parent = path.slice(0, -1).reduce<unknown>((found, key) => (found as Record<string, unknown>)?.[key], from);
  if (typeof parent === 'object' && parent !== null) Reflect.deleteProperty(parent, path.at(-1)!);
}
