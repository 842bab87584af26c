import type { CreateContractsFields } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { platform } from '../api/client.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { localOf } from '../ui/values.ts';
import { formOf, terms } from './terms.ts';

/** Creates a contract for each chosen product. */
export function NewContract({ org, onClose }: { org: string | undefined; onClose: () => void }) {
  const products = useQuery({
    queryKey: ['products'],
    queryFn: () => platform.call('listProducts', { parameters: { ...(org !== undefined && { org }) } }),
  });
  const options = Object.entries((products.data ?? {}) as Record<string, { DisplayName?: string }>).map(
    ([value, { DisplayName }]) => ({ value, label: DisplayName ?? value }),
  );
  const now = Math.floor(Date.now() / 1_000);
  return (
    <FormDialog
      title="New contract"
      verb="Create"
      onClose={onClose}
      said="The contract is created"
      of="new"
      initial={{
        start: localOf(now), end: localOf(now + 365 * 86_400), metric: 'memory_gib_month',
        alertThresholds: ['80', '100'],
      }}
      fields={[
        { name: 'orgOrUser', label: 'Owner', required: true, about: 'Name of an organization or a user.' },
        { name: 'name', label: 'Name', required: true },
        { name: 'products', label: 'Products', kind: 'many', options, required: true, error: products.error },
        { name: 'start', label: 'Begins', kind: 'moment', required: true },
        { name: 'end', label: 'Ends', kind: 'moment', required: true },
        ...terms,
      ]}
      act={(values) => platform.call('createContracts', {
        parameters: { org: String(values['orgOrUser']) },
        body: formOf<CreateContractsFields>(values),
      })}
    />
  );
}
