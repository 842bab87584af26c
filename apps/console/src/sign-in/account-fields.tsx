import { TextInput } from '@mantine/core';

interface AccountNames {
  readonly username: string;
  readonly full_name: string;
}

/** Fields for the login and the name of a new account. */
export function AccountFields({ value, onChange }: { value: AccountNames; onChange: (value: AccountNames) => void }) {
  return (
    <>
      <TextInput
        label="Login"
        required
        autoComplete="username"
        maxLength={40}
        description="Letters, digits, -, _ and ."
        value={value.username}
        onChange={({ currentTarget }) => onChange({ ...value, username: currentTarget.value })}
      />
      <TextInput
        label="Full name"
        autoComplete="name"
        maxLength={100}
        value={value.full_name}
        onChange={({ currentTarget }) => onChange({ ...value, full_name: currentTarget.value })}
      />
    </>
  );
}
