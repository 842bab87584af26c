import type { DescEnum } from '@bufbuild/protobuf';
import { getOption } from '@bufbuild/protobuf';
import { file_controlplane_reason, means } from '@platform/proto/options/controlplane/reason';

/** The properties of a reason in proto/controlplane/reason.proto. */
export interface ReasonMeaning {
  /** Number of the gRPC code. */
  code: number;
  /** HTTP status over REST. */
  httpStatus: number;
}

/** HTTP status of each gRPC code, for reasons without a status of their own. */
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

function readReasons(): ReadonlyMap<string, ReasonMeaning> {
  const reasons = file_controlplane_reason.enums.find((candidate: DescEnum) => candidate.name === 'Reason')!;
  return new Map(
    reasons.values.map((value) => {
      const meaning = getOption(value, means);
      const httpStatus = meaning.httpStatus || statusOfCode[meaning.code];
      if (!httpStatus) throw new Error(`reason ${value.name} has no HTTP status: its code ${meaning.code} has none`);
      return [value.name, { code: meaning.code, httpStatus }];
    }),
  );
}

/** Every reason by name, in the order of the proto. */
export const reasons: ReadonlyMap<string, ReasonMeaning> = readReasons();
