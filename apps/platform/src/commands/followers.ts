import { FactServiceService } from '@platform/proto/facts/v1/facts';
import type { GrpcServiceName } from '@platform/service';
import { CommandFault } from '../command-fault.ts';
import type { Environment } from '../settings.ts';
import { step } from '../progress.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';

interface Followers extends AsyncDisposable {
  /**
   * Waits until all followers have applied the changes of the service `from`. The next request then sees these changes
   * (operator.md §3).
   * @param done the start of the message of a failure, such as `Removed c1 of acme`, without a full stop
   * @throws CommandFault when a follower fails, or does not apply the changes in time
   */
  follow(from: GrpcServiceName, done: string, patienceMs?: number): Promise<void>;
}

/**
 * Connects to followers: services that copy rows of other services. Call this before a command changes such rows. If
 * the address of a follower is not known, the command then fails without a change.
 * @throws CommandFault, ConfigError
 */
export async function openFollowers(
  names: readonly GrpcServiceName[], server: ServerOptions, environment: Environment,
): Promise<Followers> {
  await using stack = new AsyncDisposableStack();
  const followers = await Promise.all(names.map(async (name) => ({
    name, facts: stack.use(await connectOperator(FactServiceService, name, server, environment)),
  })));
  const opened = stack.move();
  return {
    follow: async (from, done, patienceMs) => {
      step(`Waiting until ${names.join(' and ')} ${names.length === 1 ? 'shows' : 'show'} the change`);
      await Promise.all(followers.map(({ name, facts }) =>
        facts.catchUp({ from }, operatorCall(patienceMs)).catch((error: unknown) => {
          throw new CommandFault(
            `${done}, but ${name} does not show the change yet (${(error as Error).message})`,
            'The service will show the change later. Check `platform status`.',
            { cause: error },
          );
        })));
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
