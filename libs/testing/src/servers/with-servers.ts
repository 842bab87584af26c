import { releaseAll } from '../harness.ts';
import { keeperVariable } from './keeper-protocol.ts';
import { startKeeper } from './start-keeper.ts';

/**
 * Runs work outside jest as in a spec file: servers start when they are first needed, and resources that the work
 * acquired from the harness are released at its end.
 *
 * @throws KeeperFault when a server can neither be found nor built.
 */
export async function withServers<Result>(
  report: (line: string) => void,
  work: () => Promise<Result>,
): Promise<Result> {
  await using keeper = await startKeeper(report);
  process.env[keeperVariable] = keeper.socket;
  try {
    return await work();
  } finally {
    await releaseAll();
  }
}
