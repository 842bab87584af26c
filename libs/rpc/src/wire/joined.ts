import { JoinedCalls, JoinedReplies } from '@platform/proto/rpc/v1/joined';

/** The gRPC method whose stream carries joined calls between two processes (proto/controlplane/rpc, ADR 0070). */
export const joinedStream = {
  path: '/controlplane.rpc.v1.Joined/Calls',
  requestStream: true,
  responseStream: true,
  requestSerialize: (calls: JoinedCalls) => bufferOf(JoinedCalls.encode(calls).finish()),
  requestDeserialize: (bytes: Buffer) => JoinedCalls.decode(bytes),
  responseSerialize: (replies: JoinedReplies) => bufferOf(JoinedReplies.encode(replies).finish()),
  responseDeserialize: (bytes: Buffer) => JoinedReplies.decode(bytes),
} as const;

export const noBytes = Buffer.alloc(0);

/** Returns a `Buffer` that shares the memory of `bytes`. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Maximum bytes of a joined request. A larger request is sent separately, so that it does not delay other calls. */
export const mostJoinedBytes = 256 * 1024;
/** Maximum bytes of items in one message. A larger item is sent in a message of its own. */
const fullBytes = 64 * 1024;

/** Collects items. Sends them together in a `setImmediate` callback, or earlier if they reach {@link fullBytes}. */
export function createBatch<Item>(
  send: (items: Item[]) => void,
): { add(item: Item, bytes: number): void; flush(): void } {
  let items: Item[] = [];
  let bytes = 0;
  let scheduled = false;
  const flush = (): void => {
    if (items.length === 0) return;
    const collected = items;
    items = [];
    bytes = 0;
    send(collected);
  };
  return {
    flush,
    add: (item, size) => {
      if (bytes + size > fullBytes) flush();
      items.push(item);
      bytes += size;
      if (bytes >= fullBytes) {
        flush();
      } else if (!scheduled) {
        scheduled = true;
        setImmediate(() => {
          scheduled = false;
          flush();
        });
      }
    },
  };
}
