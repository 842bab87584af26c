/** `@platform/backing/probes` only checks servers. It loads no code that starts them. */
export { getText } from './get-text.ts';
export { type NatsAccess, probeNats } from './nats-probe.ts';
export { type OpenfgaAccess, probeOpenfga } from './openfga-probe.ts';
export { probePostgres } from './postgres-probe.ts';
