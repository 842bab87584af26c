import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { ReleaseFault } from './command.ts';

const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);

/** Checks a list of components against the schema of CycloneDX 1.6. @throws ReleaseFault with the violations */
export async function demandSchema(name: string, list: object): Promise<void> {
  const faults = await validator.validate(JSON.stringify(list));
  if (faults === null) return;
  throw new ReleaseFault(`The list of components of ${name} does not fit CycloneDX 1.6: ${JSON.stringify(faults).slice(0, 1_000)}.`);
}
