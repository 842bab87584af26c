import { SecretDialog } from '../ui/act.tsx';

interface LicenceOnceProps {
  /** The licence in the API's form: PEM in base64. */
  license: string;
  /** Name of the cluster, for the file name. */
  of?: string;
  onClose: () => void;
}

/** Shows a new licence, and offers it as a file. */
export function LicenceOnce({ license, of, onClose }: LicenceOnceProps) {
  const file = of === undefined ? 'licence.pem' : `licence-${of}.pem`;
  return <SecretDialog title="The licence" secret={atob(license)} file={file} onClose={onClose} />;
}
