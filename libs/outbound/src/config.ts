import { type Proxy, readProxy } from './proxy.ts';

/** The egress proxy of this process, from the variables that other programs read too. @throws RangeError */
export const ownProxy: Proxy | undefined = readProxy(process.env);
