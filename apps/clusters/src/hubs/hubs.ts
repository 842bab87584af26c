import { type ClusterConnection, openCluster, parseKubeconfig } from '@platform/kubernetes';
import type { Database, Queryable } from '@platform/postgres';
import { type CallContext, notFound, type ObjectContext } from '@platform/rpc';
import type { Sealed, Sealer } from '@platform/service';
import type { Write } from '@platform/writes';
import { findHub, type HubRow } from './store.ts';

/** The hub of a call. */
export interface Hub {
  readonly ownerId: number;
  readonly uid: string;
  readonly connection: ClusterConnection;
  /**
   * Confirms, right before the first change of a hub, that the caller may still make it and that the hub has the same
   * owner (authorization.md W2, R6): a hub is in no transaction of ours, and may have taken seconds to answer.
   * @throws AdmissionChanged, Fault NOT_FOUND
   */
  confirm(): Promise<void>;
}

/** Connections to hubs, kept between calls. */
export interface Hubs extends AsyncDisposable {
  /**
   * The hub that the access rule of a method found. Its row is read again: it may have another owner or kubeconfig now.
   * @throws Fault NOT_FOUND when the cluster was not imported as a hub
   */
  of(context: CallContext & ObjectContext): Promise<Hub>;
}

interface KeptConnection {
  readonly sealed: Sealed;
  readonly connection: ClusterConnection;
}

/** Most hubs whose connections are kept. */
const mostKept = 200;

export interface HubsOptions {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly write: Write<never>;
}

export function openHubs({ database, sealer, write }: HubsOptions): Hubs {
  // In the order of their last use.
  const kept = new Map<number, KeptConnection>();

  function connectionTo(id: number, sealed: Sealed): ClusterConnection {
    const known = kept.get(id);
    kept.delete(id);
    if (known?.sealed.bytes.equals(sealed.bytes)) {
      kept.set(id, known);
      return known.connection;
    }
    // Imported again: calls under way end with the former credentials.
    void known?.connection.close();
    const access = parseKubeconfig(sealer.open(sealed, `cluster/${id}/kubeconfig`).reveal());
    const connection = openCluster(access);
    kept.set(id, { sealed, connection });
    const [oldest] = kept;
    if (kept.size > mostKept) {
      kept.delete(oldest![0]);
      void oldest![1].connection.close();
    }
    return connection;
  }

  return {
    of: async (context) => {
      const { id, ownerId } = context.object();
      const find = async (queryable: Queryable): Promise<HubRow> => {
        const row = await findHub(queryable, { id, ownerId }, context.deadline);
        if (row === undefined) throw notFound('hub not found');
        return row;
      };
      const row = await find(database);
      return {
        ownerId,
        uid: row.uid,
        connection: connectionTo(id, row),
        confirm: async () => void (await write(context, [], find)),
      };
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...kept.values()].map(({ connection }) => connection[Symbol.asyncDispose]()));
    },
  };
}
