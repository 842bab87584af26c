import { readdir, readFile } from 'node:fs/promises';
import { Fault, notFound } from '@platform/faults';
import { type ClusterConnection, type JudgedAddresses, openCluster, parseKubeconfig } from '@platform/kubernetes';
import type { Database, Queryable } from '@platform/postgres';
import type { CallContext, ObjectContext } from '@platform/rpc';
import type { Deadline, Sealed, Sealer } from '@platform/service';
import type { Write, WriteContext } from '@platform/writes';
import { findHub, findImportedHub, type HubKey, type HubRow } from './store.ts';

export interface Hub {
  readonly ownerId: number;
  readonly uid: string;
  /** Id of the account that imported the kubeconfig. Differs from `ownerId` for the hub of a client organization. */
  readonly sourceOwnerId: number;
  readonly connection: ClusterConnection;
  /**
   * Confirms that the caller may still change the hub, and that the hub has the same owner (authorization.md W2, R6).
   * Call it right before the first change. Earlier requests to the hub may have taken seconds.
   * @throws AdmissionChanged; Fault NOT_FOUND; Fault FORBIDDEN for the hub of a client organization
   */
  confirm(): Promise<void>;
}

/** A hub whose owner imported the kubeconfig. The owner of a client organization's hub did not import it. */
export interface ImportedHub extends Hub {
  readonly name: string;
}

/** Connections to hubs, kept between calls. */
export interface Hubs extends AsyncDisposable {
  /**
   * Returns the hub that the access rule found. Reads the row again, because the owner or the kubeconfig may have
   * changed.
   * @throws Fault NOT_FOUND if the cluster is no longer there, is not a hub, or has no stored kubeconfig
   */
  of(context: CallContext & ObjectContext): Promise<Hub>;
  /** The hub with this key; undefined if the owner in the key has not imported the hub with a kubeconfig. */
  imported(key: HubKey, context: WriteContext): Promise<ImportedHub | undefined>;
  connection(key: HubKey, deadline: Deadline): Promise<ClusterConnection | undefined>;
}

const mostKept = 200;

interface HubsParts {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly write: Write<never>;
  readonly outbound: JudgedAddresses;
}

export function openHubs({ database, sealer, write, outbound }: HubsParts): Hubs {
  // The connections are in the order of their last use.
  const kept = new Map<number, { readonly sealed: Sealed; readonly connection: ClusterConnection }>();

  function connectionTo(id: number, sealed: Sealed): ClusterConnection {
    const known = kept.get(id);
    kept.delete(id);
    if (known?.sealed.bytes.equals(sealed.bytes)) {
      kept.set(id, known);
      return known.connection;
    }
    // Close the old connection, if any, because the sealed kubeconfig has changed. `close` waits for running calls.
    void known?.connection.close();
    const access = parseKubeconfig(sealer.open(sealed, `cluster/${id}/kubeconfig`).reveal());
    const connection = openCluster(access, outbound);
    kept.set(id, { sealed, connection });
    const [oldest] = kept;
    if (kept.size > mostKept) {
      kept.delete(oldest![0]);
      void oldest![1].connection.close();
    }
    return connection;
  }

  /** Returns the hub that `find` reads; undefined if there is none. `confirm` reads the row again with `find`. */
  async function open(ownerId: number, context: WriteContext, find: (at: Queryable) => Promise<HubRow | undefined>) {
    const row = await find(database);
    return row && {
      ownerId, uid: row.uid, sourceOwnerId: row.sourceOwnerId, name: row.name,
      connection: connectionTo(row.sourceId, row),
      confirm: async () => {
        const now = await write(context, [], find);
        if (now === undefined) throw hubNotFound();
        if (now.ofClient) throw new Fault('FORBIDDEN', 'a client organization may not manage its hub');
      },
    };
  }

  return {
    of: async (context) => {
      const key = context.object();
      const hub = await open(key.ownerId, context, (queryable) => findHub(queryable, key, context.deadline));
      if (hub === undefined) throw hubNotFound();
      return hub;
    },
    imported: (key, context) =>
      open(key.ownerId, context, (queryable) => findImportedHub(queryable, key, context.deadline)),
    connection: async (key, deadline) => {
      const row = await findImportedHub(database, key, deadline);
      return row && connectionTo(row.sourceId, row);
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...kept.values()].map(({ connection }) => connection[Symbol.asyncDispose]()));
    },
  };
}

/** Reads the custom resource definitions, in YAML, that a hub needs in addition to those of Open Cluster Management. */
export async function readDefinitions(): Promise<string[]> {
  const folder = new URL('../../definitions/', import.meta.url);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort();
  return await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
}

function hubNotFound(): Fault {
  return notFound('hub not found');
}
