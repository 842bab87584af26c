import { type Fault, notFound } from '@platform/rpc';

export function accountNotFound(name: string): Fault {
  return notFound(`there is no account ${name}`);
}
