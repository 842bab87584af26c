/** A value that is made when it is first used, and disposed when it has had no users for some time. */
interface WhileUsed<Value> extends AsyncDisposable {
  /** Call `leave` once for each call, also after a failure. */
  use(): Promise<Value>;
  leave(): void;
}

/** @param idleMs time without users after which the value is disposed. The next user gets a new value. */
export function whileUsed<Value extends AsyncDisposable>(idleMs: number, make: () => Promise<Value>): WhileUsed<Value> {
  let users = 0;
  let idle: NodeJS.Timeout | undefined;
  let made: Promise<Value> | undefined;
  let disposed = Promise.resolve();

  function dispose(): Promise<void> {
    const last = made;
    made = undefined;
    if (last !== undefined) disposed = last.then((value) => value[Symbol.asyncDispose](), () => undefined);
    return disposed;
  }

  return {
    use: () => {
      users += 1;
      clearTimeout(idle);
      made ??= disposed.then(make).catch((error: unknown) => {
        made = undefined;
        throw error;
      });
      return made;
    },
    leave: () => {
      users -= 1;
      // The next user, or the disposal at the end, gets the error of a failed disposal.
      if (users === 0) idle = setTimeout(() => void dispose().catch(() => undefined), idleMs);
    },
    [Symbol.asyncDispose]: () => {
      clearTimeout(idle);
      return dispose();
    },
  };
}
