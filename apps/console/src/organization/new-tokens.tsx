import { platform } from '../api/client.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { scopeField } from '../ui/scopes.ts';
import { isBlank, secondsOf } from '../ui/values.ts';

interface NewTokenProps {
  org: string;
  /** Receives the secret of the new token. The secret is shown only once. */
  after: (secret: string) => void;
  onClose: () => void;
}

/** Creates an access token for programs of the organization. */
export function NewAccessToken({ org, after, onClose }: NewTokenProps) {
  return (
    <FormDialog
      title="New access token"
      verb="Create"
      onClose={onClose}
      after={({ token }: { token: string }) => after(token)}
      about="A token can only have rights that you hold yourself."
      fields={[
        { name: 'name', label: 'Name', required: true, about: 'What it is for.' },
        scopeField,
        { name: 'expDate', label: 'Valid until', kind: 'moment', about: 'If empty, the default lifetime applies.' },
      ]}
      act={({ name, scopes, expDate }) => platform.call('createAccessToken', {
        parameters: { orgname: org },
        body: {
          name: String(name), scopes: scopes as string[],
          ...(!isBlank(expDate) && { expDate: secondsOf(expDate) }),
        },
      })}
    />
  );
}

/** Creates a bus token for the agent of a product in a cluster. */
export function NewBusToken({ org, after, onClose }: NewTokenProps) {
  return (
    <FormDialog
      title="New bus token"
      verb="Create"
      onClose={onClose}
      after={({ creds }: { creds: string }) => after(creds)}
      fields={[
        { name: 'clusterUID', label: 'UUID of the cluster', required: true, about: 'The UID of kube-system.' },
        { name: 'productName', label: 'Product', required: true, about: 'For example productdb-enterprise.' },
      ]}
      act={({ clusterUID, productName }) => platform.call('createBusToken', {
        parameters: { orgname: org },
        body: { clusterUID: String(clusterUID), productName: String(productName) },
      })}
    />
  );
}
