import type { GetModelRequest, GetModelResponse } from '@platform/proto/authz/v1/decision';
import type { OutgoingContext } from '@platform/rpc';
import type { Engine } from '../engine/engine.ts';
import { engineFault } from './engine-fault.ts';

/** Returns which store and model decide. */
export function getModel(engine: Engine) {
  return async (_request: GetModelRequest, { deadline }: OutgoingContext): Promise<GetModelResponse> => {
    try {
      return await engine.established(deadline);
    } catch (error) {
      throw engineFault(error);
    }
  };
}
