import { beforeAll, describe, expect, it } from '@jest/globals';
import { readImage } from '@platform/proto/image';
import { readSurface } from '@platform/surface';
import { type RunningPlatform, startPlatform } from '../platform.ts';
import { type AttackWorld, attackWorld } from './attack-world.ts';
import { attackOverGrpc, type GrpcAttackResult } from './grpc-attack.ts';

const surface = readSurface(await readImage());
let platform: RunningPlatform;
let world: AttackWorld;
let result: GrpcAttackResult;

beforeAll(async () => {
  platform = await startPlatform();
  world = await attackWorld(platform);
  result = await attackOverGrpc(surface, platform, world, { seed: 1, casesPerMethod: 20 });
}, 300_000);

describe('random messages and random bytes over gRPC, to each method', () => {
  it('are done or refused, and never a mistake of ours', () => {
    expect(result.wrong).toEqual([]);
    // Both kinds of calls occurred: refused and accepted ones.
    expect(result.outcomes.get('OK')).toBeGreaterThan(0);
    expect(result.outcomes.get('MALFORMED_BODY')).toBeGreaterThan(0);
  });

  it('end no service', async () => {
    const admin = platform.http.with({ authorization: `Bearer ${platform.adminToken}` });
    expect((await admin.post('/api/v1/orgs', { json: { username: 'afterwards' } })).status).toBe(201);
    expect((await admin.get('/api/v1/orgs/afterwards/teams')).status).toBe(200);
    for (const service of Object.values(platform.services)) {
      for (const { hasEnded } of service.replicas) expect(hasEnded).toBe(false);
    }
  });
});
