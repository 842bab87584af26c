// jest loads these hooks outside its own module system, where Node strips types, so plain JavaScript that imports
// TypeScript is enough.
import { keeperVariable } from '../servers/keeper-protocol.ts';
import { startKeeper } from '../servers/start-keeper.ts';

/** Starts the keeper of this run's servers. Specs find it through the environment, which jest's workers inherit. */
export default async function startServers() {
  // `npm test` has already found the servers and reported how.
  const report = process.env.PLATFORM_TEST_STAGE === undefined ? console.error : () => undefined;
  const keeper = await startKeeper(report);
  process.env[keeperVariable] = keeper.socket;
  globalThis[Symbol.for('platform.testing.keeper')] = keeper;
}
