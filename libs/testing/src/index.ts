/**
 * The tools of specs and proofs: real servers that a run shares; a database, a store and a prefix per file; services in
 * a shared process or in their own; clients that can send any request; a network that fails on demand. All resources
 * that a spec file acquires here are released after its last test.
 */
export { busCluster } from './bus-cluster.ts';
export { api } from './api.ts';
export { type Browser, findChromium, findProgramOfChromium, type Locator, type Page } from './find-chromium.ts';
export { findNginx, type Nginx } from './find-nginx.ts';
export { findPgBouncer, type PgBouncer } from './find-pgbouncer.ts';
export { freePort } from './free-port.ts';
export { type HeaderLine, type HttpAnswer, httpAnswer, isConsolePage } from './http-answer.ts';
export { http, type HttpClient, type HttpRequest } from './http.ts';
export { type Asked, exchange, closedLoop, quantile, type Told } from './load.ts';
export { type BusLie, lyingBus, type LyingBus } from './lying-bus.ts';
export { openFgaStore, type TestOpenFgaStore } from './open-fga-store.ts';
export { otlpCollector, type OtlpCollector, type SentSpan } from './otlp-collector.ts';
export { type FakeProvider, fakeProvider, type ProviderTrouble } from './marketplaces/fake-provider.ts';
export { type FakeProviderA, fakeProviderA } from './marketplaces/fake-provider-a.ts';
export { type FakeProviderB, fakeProviderB } from './marketplaces/fake-provider-b.ts';
export { type FakeProviderC, fakeProviderC } from './marketplaces/fake-provider-c.ts';
export { memoryGroup, type MemoryGroup } from './memory-group.ts';
export { ownBus, type OwnBus } from './own-bus.ts';
export { hasOwnClock, ownClock, type OwnClock } from './own-clock.ts';
export { ownEngine, type OwnEngine } from './own-engine.ts';
export { ownPostgres, type OwnPostgres } from './own-postgres.ts';
export { type OwnServers, ownServers } from './own-server.ts';
export { misplacedPieces, type PdfPage, readPdf } from './pdf.ts';
export { holding, type Proof, type ProofOptions, type ProofResult, seedOfRun, seedVariable, shareOf } from './proof.ts';
export { repositoryRoot } from './repository.ts';
export { as, rpcClient } from './rpc-client.ts';
export { seeded, type SeededRandom } from './seeded.ts';
export { serversAreInContainers } from './servers/keeper-protocol.ts';
export { withServers } from './servers/with-servers.ts';
export { ServiceNotStarted } from './service-process.ts';
export {
  type OwnProcessReason, startService, type Replica, type ServiceSettings, type StartedService,
  type StartServiceOptions, testSecret,
} from './start-service.ts';
export { egressProxy } from './egress-proxy.ts';
export { type KubernetesSchemas, openKubernetesSchemas } from './kubernetes-schemas.ts';
export { type FieldLicence, verifyInField } from './licences/field-verifier.ts';
export { fillDisk, mayMount, smallDisk } from './small-disk.ts';
export { tcpProxy, type TcpProxy } from './tcp-proxy.ts';
export { testBus, type TestBus } from './test-bus.ts';
export { testDatabase, testPostgres, type TestDatabase } from './test-database.ts';
export { testLab } from './test-lab.ts';
export { type TimeKind, timesVariable, type TimeSpan } from './times.ts';
export { outageOf, until, WaitedTooLong } from './until.ts';
