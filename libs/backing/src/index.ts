/**
 * Finds and runs the servers that the platform needs: PostgreSQL 18, NATS with JetStream in operator mode, and OpenFGA
 * on PostgreSQL.
 *
 *   const found = await findServers({ environment: process.env, report: console.error });
 *   const state = await openState('/path/.platform');
 *   await using reaper = createReaper();
 *   const source = found.postgres;
 *   if (source.kind === 'binary') {
 *     const logFile = state.logFile('postgres');
 *     const { plan, server } = await start(() => planPostgres({ source, state }), { logFile, reaper });
 *     plan.superuserUrl;       // postgres://postgres:…@127.0.0.1:41235/postgres
 *     await server.stop();
 *   }
 *
 * Finding (`findServers`), planning (`plan…`) and running (`launch`, `start`) are separate steps. So the launcher and
 * the tests can run the same plans in different ways.
 */
export { BackingFault, type BackingReason } from './fault.ts';
export { openState, removeState, type State } from './state.ts';
export { defaultCacheDirectory, findServers, type FoundServers } from './find-servers.ts';
export { pinnedServers } from './pinned-servers.ts';
export type { FindOptions, Report } from './find-options.ts';
export type { ServerBinary } from './find-binary.ts';
export { goProgram } from './go-build.ts';
export { stopLeftover } from './pid-file.ts';
export { publicImage } from './pins.ts';
export type { RunningServer, ServerExit, ServerPlan } from './server-plan.ts';
export { launch } from './launch.ts';
export { start } from './start.ts';
export { createReaper, type Reaper } from './reaper.ts';
export { assertPortsFree, freePorts, portOwner } from './ports.ts';
export { until } from './until.ts';
export * from './probes.ts';
export { processIdentity } from './process-identity.ts';
export { planPostgres } from './postgres.ts';
export { natsAuthority } from './nats-authority.ts';
export { natsConfiguration, natsPreload } from './nats-configuration.ts';
export { planNats } from './nats.ts';
export { openfgaConfiguration, planOpenfga } from './openfga.ts';
