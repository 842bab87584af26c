import type { AuthorizationModel, OpenFgaApi, Store } from '@openfga/sdk';
import { EngineError } from './engine-error.ts';
import { canonical, type Model } from './model.ts';

/** The store and the model version that are used for decisions. */
export interface Established {
  readonly storeId: string;
  readonly modelId: string;
}

export type CallApi = <T>(name: string, work: (api: OpenFgaApi, http: object) => Promise<T>) => Promise<T>;

/**
 * Finds or creates the store with this name. Writes the model unless the newest model in the store is equal. Earlier
 * models stay in the store. Several replicas may do this at the same time.
 */
export async function establish(call: CallApi, storeName: string, model: Model): Promise<Established> {
  const storeId = (await findStore(call, storeName)) ?? (await makeStore(call, storeName));
  const modelId = (await findModel(call, storeId, model)) ?? (await writeModel(call, storeId, model));
  return { storeId, modelId };
}

/**
 * Whether the store and the version of the model are still the ones to use. If the newest model in the store differs
 * from `model`, only the store is checked.
 */
export async function isCurrent(
  call: CallApi, storeName: string, model: Model, { storeId, modelId }: Established,
): Promise<boolean> {
  if ((await findStore(call, storeName)) !== storeId) return false;
  return ((await findModel(call, storeId, model)) ?? modelId) === modelId;
}

async function makeStore(call: CallApi, storeName: string): Promise<string> {
  await call('CreateStore', (api, http) => api.createStore({ name: storeName }, http));
  // Another replica may have created a store, too. Names are not unique, so all replicas use the oldest store.
  const storeId = await findStore(call, storeName);
  if (storeId === undefined) {
    throw new EngineError('nonsense', `ListStores did not return the store ${storeName}, which was just created`);
  }
  return storeId;
}

async function findStore(call: CallApi, storeName: string): Promise<string | undefined> {
  const found: string[] = [];
  for (let token: string | undefined; ; ) {
    const page = await call('ListStores', (api, http) => api.listStores(50, token, storeName, http));
    if (!Array.isArray(page.stores)) throw new EngineError('nonsense', 'ListStores did not return a list');
    found.push(...page.stores.filter((store: Store) => store.name === storeName).map((store: Store) => store.id));
    if (!page.continuation_token) break;
    token = page.continuation_token;
  }
  // Ids are ULIDs, which sort by time of creation.
  return found.sort()[0];
}

async function writeModel(call: CallApi, storeId: string, model: Model): Promise<string> {
  await call('WriteAuthorizationModel', (api, http) => api.writeAuthorizationModel(storeId, model.definition, http));
  const modelId = await findModel(call, storeId, model);
  if (modelId === undefined) throw new EngineError('away', 'another version of the model was written at the same time');
  return modelId;
}

/**
 * Compares up to ten versions in the store with `model`, the newest first, until one differs. Returns the id of the
 * oldest equal version, because replicas may have written equal models and should use the same one. Returns undefined
 * if the newest version differs, or if there is no version.
 */
async function findModel(call: CallApi, storeId: string, model: Model): Promise<string | undefined> {
  const newest = await call('ReadAuthorizationModels', (api, http) =>
    api.readAuthorizationModels(storeId, 10, undefined, http));
  if (!Array.isArray(newest.authorization_models)) {
    throw new EngineError('nonsense', 'ReadAuthorizationModels did not return a list');
  }
  const models: readonly AuthorizationModel[] = newest.authorization_models;
  let equal: string | undefined;
  for (const version of [...models].sort((a, b) => (a.id < b.id ? 1 : -1))) {
    if (canonical(version) !== model.text) break;
    equal = version.id;
  }
  return equal;
}
