import { type DescEnum, getOption } from '@bufbuild/protobuf';
import { file_controlplane_reason, means } from '@platform/proto/options/controlplane/reason';

export interface ReasonMeaning {
  /** Number of the gRPC code. */
  code: number;
  httpStatus: number;
}

/** HTTP statuses of gRPC codes, for reasons without an HTTP status of their own. */
const statusOfCode: Record<number, number> = {
  3: 400, // INVALID_ARGUMENT
  4: 504, // DEADLINE_EXCEEDED
  5: 404, // NOT_FOUND
  6: 409, // ALREADY_EXISTS
  7: 403, // PERMISSION_DENIED
  8: 429, // RESOURCE_EXHAUSTED
  9: 400, // FAILED_PRECONDITION
  10: 409, // ABORTED
  13: 500, // INTERNAL
  14: 503, // UNAVAILABLE
  16: 401, // UNAUTHENTICATED
};

const declared = file_controlplane_reason.enums.find((candidate: DescEnum) => candidate.name === 'Reason')!;

/** Every reason by name, in the order of the proto. */
export const reasons: ReadonlyMap<string, ReasonMeaning> = new Map(
  declared.values.map((value): [string, ReasonMeaning] => {
    const meaning = getOption(value, means);
    const httpStatus = meaning.httpStatus || statusOfCode[meaning.code];
    if (!httpStatus) throw new Error(`reason ${value.name} has no HTTP status: its code ${meaning.code} has none`);
    return [value.name, { code: meaning.code, httpStatus }];
  }),
);
