import { type Proxy, readProxy } from './proxy.ts';

/** The egress proxy of this process, from the variables that other programs read too. @throws ConfigError */
export function ownProxy(): Proxy | undefined {
  return readProxy(process.env);
}
