import { getOption } from '@bufbuild/protobuf';
import type { AccountRight as Declared } from '@platform/proto/options/controlplane/options';
import { AccountRightSchema, refusal } from '@platform/proto/options/controlplane/options';
import { Reason } from '@platform/proto/options/controlplane/reason';

/** Name of a reason of proto/controlplane/reason.proto. */
export type ReasonName = Exclude<keyof typeof Reason, 'REASON_UNSPECIFIED'>;

/** A right that an account has by itself (`controlplane.AccountRight`). */
export interface AccountRight {
  /** Its number in the proto, to ask whether an account has it. */
  number: Exclude<Declared, Declared.ACCOUNT_RIGHT_UNSPECIFIED>;
  /** `create_organizations`. */
  name: string;
  /** Reason with which an account that lacks it is refused. */
  refusal: ReasonName;
}

/** By number. Throws at start for a right whose refusal is not declared. */
export const accountRights: ReadonlyMap<number, AccountRight> = new Map(
  AccountRightSchema.values.filter(({ number }) => number !== 0).map((value): [number, AccountRight] => {
    const reason = getOption(value, refusal);
    if (reason === Reason.REASON_UNSPECIFIED) throw new Error(`${value.name}: controlplane.refusal is missing`);
    const { number, name } = value;
    return [number, { number, name: name.toLowerCase(), refusal: Reason[reason] as ReasonName }];
  }),
);
