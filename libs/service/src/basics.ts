/** The part of this library that loads no npm package (`@platform/service/basics`), for commands that start quickly. */
export { formatAddress, isLoopbackHost, parseAddress } from './address.ts';
export {
  type Deadline, DeadlineExceeded, deadlineIn, refuseOver, remaining, shrink, whenOver, within,
} from './deadline.ts';
export { Conflict, Unavailable } from './failure.ts';
export { type Backoff, backoffPause, type Loop, loop, pause, repeatUntil } from './retry.ts';
export { Secret } from './secret.ts';
export { isSecret, secretsOf } from './secrets-of.ts';
export {
  type AddressKey, type GrpcService, type GrpcServiceName, grpcServices, type SchemaServiceName, type Service,
  type ServiceName, services,
} from './services.ts';
export { environmentName, type SettingKey, settings } from './settings.ts';
export { platformVersion } from './version.ts';
