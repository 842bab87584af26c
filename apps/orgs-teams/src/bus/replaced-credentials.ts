import { defineTask } from '@platform/jobs';
import type { Letter } from '@platform/mail';
import { type Queryable, sql } from '@platform/postgres';
import { members } from '../users/reports.ts';

/** An agent has got new credentials for a product in a cluster. The previous credentials are revoked. */
interface ReplacedCredentials {
  readonly busAccountId: number;
  readonly organization: string;
  readonly clusterUid: string;
  readonly productName: string;
}

/** Sends a mail about the new credentials to one owner of the organization. */
export const sendReplacedCredentials = defineTask<ReplacedCredentials & { to: string }>('send-replaced-credentials');

export async function addressesOfOwners(queryable: Queryable, organizationId: number): Promise<string[]> {
  const rows = await queryable.query(sql<{ email: string }>`
    select distinct email from account
     where id in (${members.owning(organizationId).ids}) and email <> '' and active`);
  return rows.map(({ email }) => email);
}

export function replacedCredentialsLetter({ organization, clusterUid, productName }: ReplacedCredentials): Letter {
  return {
    subject: `New bus credentials for a cluster of ${organization}`,
    blocks: [
      { paragraph: 'Hello,' },
      {
        paragraph: 'an agent has registered a licence and got new credentials for the message bus. The agent that had '
          + 'credentials before cannot send events any more.',
      },
      { facts: { 'Organization': organization, 'Cluster': clusterUid, 'Product': productName } },
      {
        paragraph: 'If no owner installed the agent again, somebody else may have the licence of the cluster. Revoke '
          + 'the bus token of this cluster and product, and register the right agent again.',
      },
      { paragraph: 'You get this message because you own the organization.' },
    ],
  };
}
