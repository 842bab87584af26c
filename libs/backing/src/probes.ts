/** What only looks at servers: `@platform/backing/probes` loads nothing that starts them. */
export { getText } from './get-text.ts';
export { type NatsAccess, probeNats } from './nats-probe.ts';
export { type OpenfgaAccess, probeOpenfga } from './openfga-probe.ts';
export { probePostgres } from './postgres-probe.ts';
