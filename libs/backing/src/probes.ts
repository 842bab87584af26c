/** `@platform/backing/probes` checks servers. It does not load the code that starts servers. */
export { getText } from './get-text.ts';
export { type NatsAccess, probeNats } from './nats-probe.ts';
export { type OpenfgaAccess, probeOpenfga } from './openfga-probe.ts';
export { probePostgres } from './postgres-probe.ts';
