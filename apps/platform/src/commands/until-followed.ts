import { FactServiceService } from '@platform/proto/facts/v1/facts';
import type { GrpcServiceName } from '@platform/service';
import type { Environment } from '../launcher/settings.ts';
import { connectOperator, operatorCall, type ServerOptions } from './operator-client.ts';

/**
 * Waits until services show what a command has changed at another one: a command returns only when its effect is
 * visible to the next request (operator.md §3).
 * @throws Fault when one of them does not answer, or cannot follow
 */
export async function untilFollowed(
  from: GrpcServiceName, followers: readonly GrpcServiceName[], server: ServerOptions, environment: Environment,
  patienceMs?: number,
): Promise<void> {
  await Promise.all(followers.map(async (follower) => {
    await using facts = await connectOperator(FactServiceService, follower, server, environment);
    await facts.catchUp({ from }, operatorCall(patienceMs));
  }));
}
