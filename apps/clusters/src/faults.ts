import { type Fault, notFound } from '@platform/faults';

export function accountNotFound(name: string): Fault {
  return notFound(`there is no account ${name}`);
}
