import { randomUUID } from 'node:crypto';
import { CredentialsMethod, OpenFgaApi } from '@openfga/sdk';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { fenceTuple } from '@platform/relations';
import { deadlineIn, Secret, silentLogger } from '@platform/service';
import { openFgaStore, type TestOpenFgaStore } from '@platform/testing';
import { createEngine, type Engine } from './engine.ts';
import { canonical, type Model, parseModel, readModel } from './model.ts';

let store: TestOpenFgaStore;
let api: OpenFgaApi;
const model = readModel();
const newer = parseModel(`${modelText()}\ntype planet\n`);

function modelText(): string {
  return canonical(model.definition);
}

beforeAll(async () => {
  store = await openFgaStore();
  api = new OpenFgaApi({
    apiUrl: store.url, credentials: { method: CredentialsMethod.ApiToken, config: { token: store.presharedKey } },
  });
}, 120_000);

function open(version: Model = model, storeName = store.storeName, presharedKey = store.presharedKey): Engine {
  return createEngine({
    url: store.url, presharedKey: new Secret(presharedKey), storeName, model: version, log: silentLogger,
  });
}

const established = (engine: Engine) => engine.established(deadlineIn(20_000));
const versions = async (storeId: string) =>
  (await api.readAuthorizationModels(storeId)).authorization_models.map(({ id }) => id);

describe('store and model', () => {
  it('are made at first, and found again', async () => {
    const first = await established(open());
    const second = await established(open());
    expect(second).toEqual(first);
    expect(await versions(first.storeId)).toEqual([first.modelId]);
  });

  it('are what the engine keeps: the text written is the text it answers', async () => {
    const { storeId, modelId } = await established(open());
    const kept = await api.readAuthorizationModel(storeId, modelId);
    expect(canonical(kept.authorization_model!)).toBe(model.text);
    expect(model.text).not.toBe(newer.text);
  });

  it('keep every version: another model is a new one in the same store', async () => {
    const before = await established(open());
    const after = await established(open(newer));
    expect(after.storeId).toBe(before.storeId);
    expect(await versions(before.storeId)).toEqual([after.modelId, before.modelId]);
    const back = await established(open());
    expect([before.modelId, after.modelId]).not.toContain(back.modelId);
    expect(await versions(before.storeId)).toEqual([back.modelId, after.modelId, before.modelId]);
  });

  it('are the same for replicas that start at once', async () => {
    const name = `${store.storeName}-at-once`;
    const engines = Array.from({ length: 6 }, () => open(model, name));
    await Promise.all(engines.map(established));
    const [oldest] = (await api.listStores(undefined, undefined, name)).stores.map(({ id }) => id).sort();
    // A replica that uses a newer store detects this in its readiness probe, and switches to the oldest store.
    for (const engine of engines) await engine.probe(deadlineIn(20_000)).catch(() => established(engine));
    const places = await Promise.all(engines.map(established));
    expect(new Set(places.map(({ storeId }) => storeId))).toEqual(new Set([oldest]));
  });

  it('are made again when the store was lost, and nothing is answered from the lost one', async () => {
    const name = `${store.storeName}-lost`;
    const engine = open(model, name);
    const lost = await established(engine);
    const tuple = fenceTuple(1, randomUUID());
    await engine.write([], [tuple], deadlineIn(5_000));
    await api.deleteStore(lost.storeId);
    const read = () => engine.read({ ...tuple, relation: '', user: '' }, { size: 1, after: '' }, deadlineIn(5_000));
    // OpenFGA still returns the tuples of a deleted store; only the store's name shows the deletion.
    await expect(engine.probe(deadlineIn(5_000))).rejects.toMatchObject({ failure: 'store lost' });
    expect((await read()).tuples).toEqual([]);
    expect((await established(engine)).storeId).not.toBe(lost.storeId);
  });

  it('are refused to a wrong key', async () => {
    await expect(established(open(model, store.storeName, 'x'.repeat(64)))).rejects.toMatchObject({
      failure: 'key refused',
    });
  });
});
