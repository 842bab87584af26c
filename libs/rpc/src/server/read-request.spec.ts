import { expect, it } from '@jest/globals';
import { readImage } from '@platform/proto/image';
import { GetStandingRequest } from '@platform/proto/orgs/v1/identity';
import { readSurface } from '@platform/surface';
import { requestReader } from './read-request.ts';
import type { WireCall } from './wire-call.ts';

const { methods } = readSurface(await readImage());

function callFrom(fromService: boolean): WireCall {
  return {
    timeoutMs: undefined, cancelled: new AbortController().signal, peer: '192.0.2.1:1', fromService,
    shown: { serviceCredential: undefined, certificate: undefined },
    values: () => [], tell: () => undefined,
  };
}

it('the message of an internal method is read for services only', () => {
  const method = methods.find(({ name }) => name === 'GetStanding')!;
  const read = requestReader(method, (reader) => ({ ...GetStandingRequest.decode(reader) }));
  const bytes = GetStandingRequest.encode({ token: '', slugs: ['acme'], organizationIds: [] }).finish();
  expect(read(callFrom(true), bytes).message).toMatchObject({ slugs: ['acme'] });
  expect(read(callFrom(false), bytes)).toMatchObject({ message: {}, parameterFault: undefined, bodyFault: undefined });
  // A message that does not decode does not cause a fault either: the guard refuses the caller.
  expect(read(callFrom(false), Buffer.from([0xff]))).toMatchObject({ parameterFault: undefined });
  expect(read(callFrom(true), Buffer.from([0xff])).parameterFault).toMatchObject({ reason: 'MALFORMED_BODY' });
});
