// jest loads these hooks outside its own module system, where Node strips types: a thin JavaScript door suffices.
import { keeperVariable } from '../servers/keeper-protocol.ts';
import { startKeeper } from '../servers/start-keeper.ts';

/** Starts the keeper of this run's servers; specs find it through the environment, which jest's workers inherit. */
export default async function startServers() {
  // `npm test` has found them already, and told how.
  const report = process.env.PLATFORM_TEST_STAGE === undefined ? console.error : () => undefined;
  const keeper = await startKeeper(report);
  process.env[keeperVariable] = keeper.socket;
  globalThis[Symbol.for('platform.testing.keeper')] = keeper;
}
