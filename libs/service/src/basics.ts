/**
 * The part of this library that loads no npm package. A command that needs no more imports `@platform/service/basics`.
 */
export type { AddressParts } from './address.ts';
export { formatAddress, isLoopbackHost, parseAddress } from './address.ts';
export type { Deadline } from './deadline.ts';
export { DeadlineExceeded, deadlineIn, refuseOver, remaining, shrink, whenOver, within } from './deadline.ts';
export { Conflict, Unavailable } from './failure.ts';
export type { Backoff, Loop, RepeatOptions } from './retry.ts';
export { backoffPause, loop, pause, repeatUntil } from './retry.ts';
export { Secret } from './secret.ts';
export { isSecret, secretsOf } from './secrets-of.ts';
export {
  type AddressKey, type BusUse, type GrpcService, type GrpcServiceName, grpcServices, type PassedPaths,
  type PassKey, type SchemaServiceName,
  type Service, type ServiceName, services, type ServiceSecret,
} from './services.ts';
export type { LogLevel, Setting, SettingKey, SettingValue } from './settings.ts';
export { environmentName, settings } from './settings.ts';
export { platformVersion } from './version.ts';
