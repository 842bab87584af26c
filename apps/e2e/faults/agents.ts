import { randomUUID } from 'node:crypto';
import { arrivalSubject, connectBus, eventSubject } from '@platform/bus';
import { Fault } from '@platform/faults';
import { sql } from '@platform/postgres';
import { as, type OwnBus, until } from '@platform/testing';
import type { World } from '../src/orgs/world.ts';

/** Credentials of one agent, as returned at their creation. */
export interface Agent {
  readonly id: number;
  readonly creds: string;
  readonly clusterUid: string;
}

/** Agents of one organization that are created and revoked, and permanent agents of another one. */
export interface Agents {
  /** The list of the permanent agents, and the token to read it. */
  readonly calm: { readonly path: string; readonly token: string };
  /** Creates an agent. Returns undefined if the platform answers 503. */
  create(within: number): Promise<Agent | undefined>;
  /** Revokes an agent. Returns the status. */
  revoke(agent: Agent, within: number): Promise<number>;
  /** Waits until an agent can sign in and the platform receives its event. */
  admitted(agent: Agent, within: number): Promise<void>;
  /** Waits until an agent cannot sign in any more. */
  expelled(agent: Agent, within: number): Promise<void>;
  /** Returns differences between the rows and the answers. */
  disagreements(): Promise<string[]>;
}

const productName = 'kubedb';
const signInMs = 2_000;

/** @param options `calm`: number of permanent agents, which belong to the other organization */
export async function prepareAgents(world: World, bus: OwnBus, { calm: staying = 3 } = {}): Promise<Agents> {
  const owner = await world.person();
  const [calm, busy] = [await world.organization(owner), await world.organization(owner)];
  const { admin } = world.operator;
  const made = new Map<number, { revoked: boolean }>();
  const make = async (organization: string, within: number) => {
    const clusterUid = randomUUID();
    const account = await admin.createBusAccount({ organization, clusterUid, productName }, as(undefined, within));
    return { ...account, clusterUid };
  };
  for (let count = 0; count < staying; count += 1) await make(calm.username, 30_000);
  const signIn = (creds: string) => connectBus({ url: bus.access.url, credentials: creds }, signInMs);

  return {
    calm: { path: `/api/v1/orgs/${calm.username}/tokens/bus-tokens/`, token: owner.token },
    create: async (within) => {
      try {
        const agent = await make(busy.username, within);
        made.set(agent.id, { revoked: false });
        return agent;
      } catch (error) {
        if (error instanceof Fault && error.reason === 'UNAVAILABLE') return undefined;
        throw error;
      }
    },
    revoke: async ({ id }, within) => {
      const path = `/api/v1/orgs/${busy.username}/tokens/bus-tokens/${id}/revoke`;
      let { status, text } = await owner.http.post(path, { within });
      // A 503 for another reason than the bus means that the revocation was not stored: repeat it.
      if (status === 503 && !text.includes('message bus')) {
        ({ status, text } = await owner.http.post(path, { within }));
      }
      made.get(id)!.revoked = true;
      return status;
    },
    admitted: async ({ id, creds, clusterUid }, within) => {
      const member = { ownerId: busy.id, clusterUid, productName };
      await until(async () => {
        await using platformSide = await signIn(bus.access.credentials);
        let heard = false;
        await platformSide.subscribe(arrivalSubject(member), () => {
          heard = true;
        });
        await using agent = await signIn(creds);
        await agent.publish(eventSubject(member, 1), '{}');
        return await until(() => heard, { within: 500, what: 'the event is heard' });
      }, { within, what: `agent ${id} is admitted, and its event heard` });
    },
    expelled: async ({ id, creds }, within) => {
      await until(async () => {
        try {
          await using _member = await signIn(creds);
          return false;
        } catch (error) {
          return (error as Error).name === 'AuthorizationError';
        }
      }, { within, what: `agent ${id} is expelled` });
    },
    disagreements: async () => {
      const rows = await world.database.query(sql<{ id: number; revoked: boolean }>`
        select id, revoked_at is not null as "revoked" from bus_user where organization_id = ${busy.id} order by id`);
      const wanted = [...made].map(([id, { revoked }]) => ({ id, revoked })).sort((a, b) => a.id - b.id);
      const [found, expected] = [JSON.stringify(rows), JSON.stringify(wanted)];
      return found === expected ? [] : [`rows say ${found}, answered was ${expected}`];
    },
  };
}
