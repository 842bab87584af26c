import { Fault } from '@platform/faults';
import type { Example } from '@platform/proto/examples';
import { openReplicas, type Replicas } from '@platform/rpc';
import { type DescField, fieldsOfAccess, type Method, ScalarType } from '@platform/surface';
import { delimited, integer } from './wire-bytes.ts';
import { meantBy } from '../examples/call-example.ts';
import type { Names } from '../examples/names.ts';
import { specCall } from '../operator.ts';

/** Calls any method over gRPC, as other teams do: with a token, and never with a service credential. */
export interface DirectCaller extends AsyncDisposable {
  /** Returns the reason of the refusal, or `OK`. */
  reasonOf(method: Method, host: string, message: Buffer, token: string | undefined): Promise<string>;
}

/** @param addresses of the replicas of each service, separated by commas */
export function directCaller(addresses: Readonly<Record<string, string>>): DirectCaller {
  const asItIs = (bytes: Buffer) => bytes;
  const open = new Map<string, Replicas>();
  const replicasOf = (host: string) => {
    const replicas = open.get(host) ?? openReplicas(host, addresses[host]!.split(','));
    open.set(host, replicas);
    return replicas;
  };
  return {
    reasonOf: async ({ path, kind }, host, message, token) => {
      const call = { path, requestSerialize: asItIs, responseDeserialize: asItIs, repeatable: false };
      const entries: [string, string][] = token === undefined ? [] : [['authorization', `Bearer ${token}`]];
      try {
        const replicas = replicasOf(host);
        if (kind === 'unary') await replicas.call(call, message, specCall(), entries);
        else if (kind === 'client_streaming') await replicas.send(call, [message], specCall(), entries);
        else for await (const _first of replicas.receive(call, message, specCall(), entries)) break;
        return 'OK';
      } catch (error) {
        if (error instanceof Fault) return error.reason;
        throw error;
      }
    },
    [Symbol.asyncDispose]: async () => {
      for (const replicas of open.values()) await replicas[Symbol.asyncDispose]();
    },
  };
}

/** The message of an example, with the fields that rules read: strings, whole numbers and lists of them. */
export function messageOf({ input, http }: Method, { parameters, body }: Example, meant: Names['meant']): Buffer {
  const given = { ...parameters, ...(http?.body === '*' ? (body as object) : {}) };
  const values = meantBy(meant, given) as Readonly<Record<string, unknown>>;
  return Buffer.concat(input.fields.flatMap((field) => {
    const value = values[field.jsonName];
    return (Array.isArray(value) ? value : [value]).map((one) => bytesOf(field, one));
  }));
}

function bytesOf(field: DescField, value: unknown): Buffer {
  if (field.message || field.enum) return Buffer.alloc(0);
  if (typeof value === 'string') return delimited(field.number, Buffer.from(value));
  const isWhole = Number.isInteger(value) && field.scalar !== ScalarType.DOUBLE && field.scalar !== ScalarType.FLOAT;
  if (isWhole || typeof value === 'boolean') return integer(field.number, BigInt(value as number | boolean));
  return Buffer.alloc(0);
}

/** Half of a surrogate pair in a string field that the access rule does not read; undefined without such a field. */
export function badText({ http, input, access }: Method): Buffer | undefined {
  // A method that reads its body itself may refuse earlier for another reason, such as a secret.
  if (http?.rawBody === true) return undefined;
  const read = fieldsOfAccess(access);
  const field = input.fields.find(({ localName, scalar }) => scalar === ScalarType.STRING && !read.has(localName));
  return field && delimited(field.number, Buffer.from([0xed, 0xa0, 0x80]));
}
