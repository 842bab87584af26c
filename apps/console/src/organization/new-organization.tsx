import { useNavigate } from '@tanstack/react-router';
import type { CreateOrganizationFields } from '@platform/client';
import { platform } from '../api/client.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { given } from '../ui/values.ts';

export const visibilities = [
  { value: 'public', label: 'Public: everybody may see it' },
  { value: 'limited', label: 'Limited: everybody who is signed in' },
  { value: 'private', label: 'Private: its members' },
];

/** A dialog that creates an organization. The creator becomes its first owner. */
export function NewOrganization({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <FormDialog
      title="New organization"
      verb="Create"
      onClose={onClose}
      of="new"
      initial={{ visibility: 'private' }}
      said="The organization is created"
      fields={[
        {
          name: 'username', label: 'Name', required: true,
          about: 'Letters, digits, “-”, “_” and “.”. The name is part of addresses.',
        },
        { name: 'full_name', label: 'Full name' },
        { name: 'description', label: 'Description', kind: 'long' },
        { name: 'website', label: 'Website', placeholder: 'https://' },
        { name: 'location', label: 'Location' },
        { name: 'visibility', label: 'Visible to', kind: 'select', options: visibilities, required: true },
      ]}
      act={(values) =>
        platform.call('createOrganization', { body: given(values) as unknown as CreateOrganizationFields })}
      after={({ username }) => void navigate({ to: '/orgs/$org', params: { org: username } })}
    />
  );
}
