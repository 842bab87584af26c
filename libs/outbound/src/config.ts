import { type Proxy, readProxy } from './proxy.ts';

/** Reads the egress proxy from the environment of the process ({@link readProxy}). @throws ConfigError */
export function ownProxy(): Proxy | undefined {
  return readProxy(process.env);
}
