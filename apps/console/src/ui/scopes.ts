import type { Field } from './field.tsx';

const areas = ['user', 'organization', 'contract', 'cluster', 'usage', 'metrics', 'admin'];

/** The field for the scopes of a new token (open-points 18.2). `write` includes `read`. */
export const scopeField: Field = {
  name: 'scopes',
  label: 'May',
  kind: 'many',
  options: areas.flatMap((area) => [`read:${area}`, `write:${area}`]),
  about: 'If empty, all scopes.',
};
