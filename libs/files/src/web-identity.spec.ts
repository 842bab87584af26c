import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { deadlineIn, Unavailable } from '@platform/service';
import { openBucketStore } from './bucket-store.ts';
import { readWebIdentity } from './web-identity.ts';

const soon = () => deadlineIn(10_000);

async function serve(listener: RequestListener) {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A security token service, as AWS documents it. Each answer has new keys, numbered from 1. */
async function serveTokens() {
  const asked: URLSearchParams[] = [];
  const state = { lifetimeMs: 60_000, isAway: false };
  const server = await serve((request, response) => {
    text(request).then((body) => {
      if (state.isAway) {
        response.writeHead(503).end('<ErrorResponse><Error><Code>ServiceUnavailable</Code></Error></ErrorResponse>');
        return;
      }
      const nth = asked.push(new URLSearchParams(body));
      response.end(`<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>
        <AccessKeyId>key${nth}</AccessKeyId><SecretAccessKey>secret${nth}</SecretAccessKey>
        <SessionToken>session${nth}</SessionToken>
        <Expiration>${new Date(Date.now() + state.lifetimeMs).toISOString()}</Expiration>
        </Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`);
    }, () => response.destroy());
  });
  return { ...server, asked, state };
}

/** A bucket that records which keys signed each request. The server in the other specs accepts no session tokens. */
async function serveBucket() {
  const signed: string[] = [];
  const server = await serve((request, response) => {
    const key = /Credential=([^/]*)/.exec(request.headers.authorization ?? '')?.[1];
    signed.push(`${request.method} ${key} ${request.headers['x-amz-security-token'] as string}`);
    request.resume();
    response.end('content');
  });
  return { ...server, signed };
}

it('a bucket is signed in to with keys for the token of the pod, which are replaced before they end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platform-identity-'));
  try {
    await using tokens = await serveTokens();
    await using bucket = await serveBucket();
    const file = join(folder, 'token');
    await writeFile(file, 'first\n');
    const identity = readWebIdentity({
      AWS_ROLE_ARN: 'arn:aws:iam::1:role/platform', AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ENDPOINT_URL_STS: tokens.url,
    })!;
    const open = () => openBucketStore({
      endpoint: bucket.url, bucket: 'files', region: 'us-east-1', keys: identity('us-east-1'),
    });
    const store = open();
    await store.put('a', Buffer.from('x'), soon());
    expect(Object.fromEntries(tokens.asked[0]!)).toEqual({
      Action: 'AssumeRoleWithWebIdentity', Version: '2011-06-15', RoleArn: 'arn:aws:iam::1:role/platform',
      RoleSessionName: 'platform', WebIdentityToken: 'first',
    });
    // The first keys expire soon, so the store gets new keys. The pod has another token now.
    await writeFile(file, 'second\n');
    tokens.state.lifetimeMs = 3_600_000;
    await Promise.all([store.get('a', soon()), store.get('b', soon())]);
    await store.get('c', soon());
    expect(tokens.asked.map((form) => form.get('WebIdentityToken'))).toEqual(['first', 'second']);
    expect(bucket.signed).toEqual([
      'PUT key1 session1', 'GET key2 session2', 'GET key2 session2', 'GET key2 session2',
    ]);

    // During an outage of the token service, the store uses keys that are still valid.
    tokens.state.lifetimeMs = 60_000;
    const other = open();
    await other.get('d', soon());
    tokens.state.isAway = true;
    for (const key of ['e', 'f']) expect((await other.get(key, soon()))?.toString()).toBe('content');
    expect(bucket.signed.at(-1)).toBe('GET key3 session3');
    await expect(open().get('g', soon())).rejects.toThrow(Unavailable);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('a process without role or token has no such identity', () => {
  expect(readWebIdentity({})).toBeUndefined();
  expect(readWebIdentity({ AWS_ROLE_ARN: 'arn:aws:iam::1:role/platform' })).toBeUndefined();
  expect(readWebIdentity({ AWS_WEB_IDENTITY_TOKEN_FILE: '/token', AWS_ROLE_ARN: '' })).toBeUndefined();
});
