import { type Proxy, readProxy } from './proxy.ts';

/**
 * Returns the egress proxy of this process, from the environment variables that other programs also use.
 * @throws ConfigError
 */
export function ownProxy(): Proxy | undefined {
  return readProxy(process.env);
}
