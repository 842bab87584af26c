/**
 * The real servers under the platform: PostgreSQL 18, NATS with JetStream in operator mode, OpenFGA on PostgreSQL.
 *
 *   const found = await findServers({ environment: process.env, report: console.error });
 *   const state = await openState('/path/.platform');
 *   await using reaper = createReaper();
 *   if (found.postgres.kind === 'binary') {
 *     const { plan, server } = await start(() => planPostgres({ source, state }), { logFile, reaper });
 *     plan.superuserUrl;       // postgres://postgres:…@127.0.0.1:41235/postgres
 *     await server.stop();
 *   }
 *
 * Finding (`findServers`), planning (`plan…`: where the data lies, which ports, which arguments) and running (`launch`,
 * `start`) are separate, so that a supervisor and a test harness can run the same plans in their own ways.
 */
export { BackingFault, type BackingReason } from './fault.ts';
export { openState, removeState, type State } from './state.ts';
export {
  defaultCacheDirectory,
  findServers,
  type FoundServers,
} from './find-servers.ts';
export { pinnedServers } from './pinned-servers.ts';
export type { FindOptions, Report } from './find-options.ts';
export type { ServerBinary } from './find-binary.ts';
export { type GoProgram, goProgram } from './go-build.ts';
export { stopLeftover } from './pid-file.ts';
export { publicImage } from './pins.ts';
export type { ProcessPlan, RunningServer, ServerExit, ServerPlan } from './server-plan.ts';
export { getText } from './get-text.ts';
export { launch, type LaunchOptions } from './launch.ts';
export { start, type StartOptions, type Started } from './start.ts';
export { createReaper, type Reaper } from './reaper.ts';
export { freePorts, portOwner } from './ports.ts';
export { assertPortsFree } from './ports-free.ts';
export { until } from './until.ts';
export * from './probes.ts';
export { processIdentity } from './process-identity.ts';
export {
  planPostgres,
  type PostgresAddress,
  type PostgresPlan,
  type PostgresPlanOptions,
} from './postgres.ts';
export { natsAuthority } from './nats-authority.ts';
export { natsConfiguration, type NatsLayout, natsPreload } from './nats-configuration.ts';
export { planNats, type NatsAddress, type NatsPlan, type NatsPlanOptions } from './nats.ts';
export {
  openfgaConfiguration,
  planOpenfga,
  type OpenfgaAddress,
  type OpenfgaPlan,
  type OpenfgaPlanOptions,
} from './openfga.ts';
