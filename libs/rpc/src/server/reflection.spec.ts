import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { credentials, type ServiceError } from '@grpc/grpc-js';
import { createRateLimiter } from '@platform/limits';
import { FileDescriptorProto } from '@platform/proto/google/protobuf/descriptor';
import {
  ServerReflectionClient, type ServerReflectionRequest, type ServerReflectionResponse, ServerReflectionService,
} from '@platform/proto/grpc/reflection/v1/reflection';
import { until } from '@platform/testing';
import { serveVersion } from '../fixtures/version-server.ts';
import type { RpcServerOptions } from './server.ts';

type Asked = ServerReflectionRequest['messageRequest'];

let running: AsyncDisposableStack;

beforeEach(() => {
  running = new AsyncDisposableStack();
});
afterEach(() => running.disposeAsync());

/** Serves the version service with reflection. Returns the address. */
async function serve(options: Pick<RpcServerOptions, 'reflection' | 'directLimits'> = {}): Promise<string> {
  return running.use(await serveVersion(() => 'v1.2.3', options)).address;
}

function reflection(address: string): ServerReflectionClient {
  const client = new ServerReflectionClient(address, credentials.createInsecure());
  running.defer(() => client.close());
  return client;
}

function ask(address: string, messageRequest: Asked): Promise<ServerReflectionResponse['messageResponse']> {
  const stream = reflection(address).serverReflectionInfo();
  return new Promise((resolve, reject) => {
    stream.on('error', reject);
    stream.on('data', (response: ServerReflectionResponse) => {
      resolve(response.messageResponse);
      stream.end();
    });
    stream.write({ host: '', messageRequest });
  });
}

it('counts each question as an anonymous call', async () => {
  const rate = { perSecond: 0.001, burst: 3 };
  const rateLimiter = createRateLimiter({ anonymous: rate, failedCredentials: rate, account: rate });
  const directLimits = { rateLimiter, sourceAddress: (peer: string) => peer };
  const address = await serve({ directLimits });
  const stream = reflection(address).serverReflectionInfo();
  let answers = 0;
  stream.on('data', () => (answers += 1));
  const refused = new Promise<ServiceError>((resolve) => stream.on('error', (error) => resolve(error as ServiceError)));
  for (let question = 0; question < 10; question += 1) {
    stream.write({ host: '', messageRequest: { $case: 'listServices', value: '' } });
  }
  expect(await refused).toMatchObject({ code: 8 });
  expect(answers).toBe(3);
});

it('reads the next question when an answer has left', async () => {
  let asked = 0;
  const rateLimiter = createRateLimiter(undefined);
  const anonymous = (address: string) => {
    asked += 1;
    return rateLimiter.anonymous(address);
  };
  const directLimits = { rateLimiter: { ...rateLimiter, anonymous }, sourceAddress: (peer: string) => peer };
  const session = connectHttp2(`http://${await serve({ directLimits })}`);
  running.defer(() => session.destroy());
  await once(session, 'connect');
  const { path, requestSerialize } = ServerReflectionService.serverReflectionInfo;
  const stream = session.request({
    ':method': 'POST', ':path': path, 'content-type': 'application/grpc', 'te': 'trailers',
  });
  stream.on('error', () => undefined);
  const value = 'controlplane.version.v1.VersionService';
  const question = requestSerialize({ host: '', messageRequest: { $case: 'fileContainingSymbol', value } });
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(question.length, 1);
  // The number is small enough that all questions are sent before the server reads any of them.
  const questions = 500;
  stream.write(Buffer.concat(Array.from({ length: questions }, () => [prefix, question]).flat()));

  const ping = () => new Promise<void>((resolve) => void session.ping(() => resolve()));
  await until(async () => {
    const before = asked;
    await ping();
    await ping();
    return asked > 0 && asked === before;
  }, { what: 'nothing more is answered' });
  // The server has read only as many questions as the buffers have room for answers.
  expect(asked).toBeLessThan(questions / 5);
  stream.resume();
  await until(() => asked === questions, { what: 'all is answered to those who read' });
});

it('is off where the options say so', async () => {
  const address = await serve({ reflection: false });
  await expect(ask(address, { $case: 'listServices', value: '' })).rejects.toMatchObject({ code: 12 });
});

it('lists the services of this app and the standard ones', async () => {
  const address = await serve();
  const listed = await ask(address, { $case: 'listServices', value: '' });
  expect(listed).toEqual({
    $case: 'listServicesResponse',
    value: {
      service: [
        { name: 'controlplane.version.v1.VersionService' },
        { name: 'grpc.health.v1.Health' },
        { name: 'grpc.reflection.v1.ServerReflection' },
      ],
    },
  });
});

it.each(['controlplane.version.v1.VersionService', 'controlplane.version.v1.VersionService.GetVersion', 'grpc.health.v1.Health'])(
  'answers the file of %s with all that it imports',
  async (symbol) => {
    const address = await serve();
    const found = await ask(address, { $case: 'fileContainingSymbol', value: symbol });
    const bytes = found?.$case === 'fileDescriptorResponse' ? found.value.fileDescriptorProto : [];
    const files = bytes.map((file) => FileDescriptorProto.decode(file));
    const names = new Set(files.map(({ name }) => name));
    expect(files[0]!.service.map(({ name }) => name)).toContain(symbol.split('.')[3]);
    for (const { dependency } of files) for (const name of dependency) expect(names).toContain(name);
  },
);

it('says what it does not know', async () => {
  const address = await serve();
  const found = await ask(address, { $case: 'fileContainingSymbol', value: 'platform.nothing.v1.Nothing' });
  expect(found).toMatchObject({ $case: 'errorResponse', value: { errorCode: 5 } });
});
