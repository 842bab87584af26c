import { type Proxy, readProxy } from './proxy.ts';

/** Reads the egress proxy from the environment variables that other programs also use. @throws ConfigError */
export function ownProxy(): Proxy | undefined {
  return readProxy(process.env);
}
