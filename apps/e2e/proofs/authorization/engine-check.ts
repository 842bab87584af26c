import type { TestOpenFgaStore } from '@platform/testing';

/** A tuple as OpenFGA takes it. */
export interface Tuple {
  readonly user: string;
  readonly relation: string;
  readonly object: string;
}

/** Direct questions to OpenFGA, without our cache or batching. */
export interface EngineCheck {
  /** Returns the given relations that a user has on an object. `contextual` tuples hold for this question only. */
  held(user: string, object: string, relations: readonly string[], contextual: readonly Tuple[]): Promise<string[]>;
}

/** The most checks in one request to OpenFGA. */
const checksPerBatch = 50;

/** Finds the store that authz made, and its newest model. */
export async function engineCheck(
  { url, presharedKey }: Pick<TestOpenFgaStore, 'url' | 'presharedKey'>, storeName: string,
): Promise<EngineCheck> {
  async function call<Answer>(path: string, body?: unknown): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await fetch(`${url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${presharedKey}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (answer.ok) return (await answer.json()) as Answer;
      // A busy engine may exceed its deadline; then the answer is late, not different.
      if (attempt >= 20) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    }
  }

  const { stores } = await call<{ stores: { id: string; name: string }[] }>(`/stores?name=${storeName}`);
  const store = stores.find(({ name }) => name === storeName);
  if (store === undefined) throw new Error(`there is no store ${storeName}`);
  const { authorization_models: models } = await call<{ authorization_models: { id: string }[] }>(
    `/stores/${store.id}/authorization-models?page_size=1`,
  );

  interface Checks {
    result: Record<string, { allowed?: boolean; error?: unknown }>;
  }

  async function batch(user: string, object: string, relations: readonly string[], contextual: readonly Tuple[]) {
    for (let attempt = 1; ; attempt += 1) {
      const { result } = await call<Checks>(`/stores/${store!.id}/batch-check`, {
        authorization_model_id: models[0]!.id,
        consistency: 'HIGHER_CONSISTENCY',
        checks: relations.map((relation, index) => ({
          tuple_key: { user, relation, object }, contextual_tuples: { tuple_keys: contextual }, correlation_id: `c${index}`,
        })),
      });
      const answers = relations.map((_, index) => result[`c${index}`]);
      if (answers.every((answer) => typeof answer?.allowed === 'boolean')) {
        return relations.filter((_, index) => answers[index]!.allowed);
      }
      if (attempt >= 20) throw new Error(`a check failed: ${JSON.stringify(result)}`);
    }
  }

  return {
    held: async (user, object, relations, contextual) => {
      const held: string[] = [];
      for (let from = 0; from < relations.length; from += checksPerBatch) {
        held.push(...await batch(user, object, relations.slice(from, from + checksPerBatch), contextual));
      }
      return held;
    },
  };
}
