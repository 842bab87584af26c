import { ApiException, type KubeConfig, Watch } from '@kubernetes/client-node';
import { deadlineExceeded, Fault } from '@platform/faults';

/** An event of a watch, as the API server sends it. A BOOKMARK reports only a new `resourceVersion`. */
export interface HeardChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: { readonly metadata?: { readonly resourceVersion?: string } };
}

/**
 * The server is asked to end a watch after this time, in seconds. The time is shorter than 30 seconds, because the
 * library ends a watch that receives no data for 30 seconds.
 */
const watchSeconds = 25;
const gone = 410;

/** Runs one watch with the Kubernetes client library; see `ClusterConnection.watch`. */
export function watchOnce(
  config: KubeConfig, path: string, version: string, heard: (change: HeardChange) => void, stopping: AbortSignal,
): Promise<'ended' | 'expired'> {
  if (stopping.aborted) return Promise.resolve('ended');
  return new Promise((resolve, reject) => {
    let connection: AbortController | undefined;
    let isOver = false;
    const end = (settle: () => void): void => {
      if (isOver) return;
      isOver = true;
      stopping.removeEventListener('abort', stop);
      connection?.abort();
      settle();
    };
    const stop = (): void => end(() => resolve('ended'));
    stopping.addEventListener('abort', stop);

    function take(type: string, object: unknown): void {
      if (isOver) return;
      // Catch errors of the listener here: the library would treat them as an unreadable line and continue.
      try {
        if (type !== 'ERROR') heard({ type, object } as HeardChange);
        else if ((object as { code?: unknown }).code === gone) end(() => resolve('expired'));
        else end(() => reject(new Fault('BAD_UPSTREAM', 'the cluster ended a watch with an error')));
      } catch (error) {
        end(() => reject(error));
      }
    }

    function done(error: unknown): void {
      const { statusCode, name } = (error ?? {}) as { statusCode?: number; name?: string };
      if (error === null || error === undefined) return end(() => resolve('ended'));
      if (statusCode === gone) return end(() => resolve('expired'));
      const failure = statusCode === undefined ? error : new ApiException(statusCode, 'the watch was refused', '', {});
      return end(() => reject(name === 'TimeoutError' ? deadlineExceeded(error) : failure));
    }

    const query = { resourceVersion: version, allowWatchBookmarks: true, timeoutSeconds: watchSeconds };
    new Watch(config).watch(path, query, take, done).then((made) => {
      connection = made;
      if (isOver) made.abort();
    }, done);
  });
}
