import type { User } from '@platform/client';
import { platform } from '../api/client.ts';
import type { Field } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { given, type Values } from '../ui/values.ts';

const fields: readonly Field[] = [
  { name: 'full_name', label: 'Full name' },
  { name: 'email', label: 'E-mail', kind: 'email', required: true },
  { name: 'admin', label: 'Site admin', kind: 'switch' },
  {
    name: 'active', label: 'Active', kind: 'switch',
    about: 'If off, the user may not sign in, use tokens or join organizations.',
  },
  { name: 'prohibit_login', label: 'May not sign in or use tokens', kind: 'switch' },
];

export function NewUser({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog
      title="New user"
      verb="Create"
      onClose={onClose}
      said="The user is created"
      of="new"
      initial={{ active: true }}
      fields={[{ name: 'username', label: 'User name', required: true }, ...fields]}
      act={(values) =>
        platform.call('addSiteUser', { body: given(values) as Values & { username: string; email: string } })}
    />
  );
}

export function ChangeUser({ user, onClose }: { user: User; onClose: () => void }) {
  const { login: username, full_name, email, is_admin: admin, active, prohibit_login } = user;
  const before: Values = { full_name, email, admin, active, prohibit_login };
  return (
    <FormDialog
      title={`Change ${username}`}
      verb="Save"
      onClose={onClose}
      said="The user is changed"
      of={username}
      initial={before}
      fields={fields}
      act={(values) => platform.call('changeSiteUser', {
        parameters: { username },
        // Leave out unchanged values, so that a refusal concerns only values that the person has changed.
        body: Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== before[name])),
      })}
    />
  );
}
