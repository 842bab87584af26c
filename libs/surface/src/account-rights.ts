import { getOption } from '@bufbuild/protobuf';
import type { AccountRight as Declared } from '@platform/proto/options/controlplane/options';
import { AccountRightSchema, refusal } from '@platform/proto/options/controlplane/options';
import { Reason } from '@platform/proto/options/controlplane/reason';

export type ReasonName = Exclude<keyof typeof Reason, 'REASON_UNSPECIFIED'>;

/** A right of an account that does not depend on its teams (`controlplane.AccountRight`). */
export interface AccountRight {
  /** Number of the right in the proto, used to ask whether an account has the right. */
  number: Exclude<Declared, Declared.ACCOUNT_RIGHT_UNSPECIFIED>;
  /** Name of the right in the proto, in lower case: `create_organizations`. */
  name: string;
  refusal: ReasonName;
}

/** Account rights by number. The import of this file fails if a right declares no refusal. */
export const accountRights: ReadonlyMap<number, AccountRight> = new Map(
  AccountRightSchema.values.filter(({ number }) => number !== 0).map((value): [number, AccountRight] => {
    const reason = getOption(value, refusal);
    if (reason === Reason.REASON_UNSPECIFIED) throw new Error(`${value.name}: controlplane.refusal is missing`);
    const { number, name } = value;
    return [number, { number, name: name.toLowerCase(), refusal: Reason[reason] as ReasonName }];
  }),
);
