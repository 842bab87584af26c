import type { AskRelationsRequest, AskRelationsResponse } from '@platform/proto/authz/v1/decision';
import { fenceRelation, organizationObject, revisionOf } from '@platform/relations';
import { Fault, type OutgoingContext, unavailable } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { questionOf } from '../domain/question.ts';
import { EngineError } from '../engine/engine-error.ts';
import type { Engine } from '../engine/engine.ts';
import { engineFault } from './engine-fault.ts';

/**
 * Asks which relations a principal holds on a class of objects (authorization.md R5). The fence is read after the
 * answers: answers of a store that was lost before or meanwhile are then seen to be such.
 */
export function askRelations(engine: Engine) {
  return async (request: AskRelationsRequest, context: OutgoingContext): Promise<AskRelationsResponse> => {
    const question = questionOf(request.principal, request.organizationId, request.objectClass);
    if ('impossible' in question) throw new Fault('INVALID_PARAMETER', question.impossible);
    try {
      const { relations, modelId } = await engine.ask(question, context.deadline);
      const fence = request.organizationId === 0
        ? ''
        : await readFence(engine, request.organizationId, context.deadline);
      return { relations, modelId, fence };
    } catch (error) {
      // The question is ours: that the model does not know it is a fault of the engine's model, not of the caller.
      if (error instanceof EngineError && error.failure === 'refused') throw unavailable('authorization', error);
      throw engineFault(error);
    }
  };
}

/** The revision in the fence; empty when there is none. Of several, made at once, any one will do. */
async function readFence(engine: Engine, organizationId: number, deadline: Deadline): Promise<string> {
  const filter = { object: organizationObject(organizationId), relation: fenceRelation, user: '' };
  const { tuples } = await engine.read(filter, { size: 2, after: '' }, deadline);
  const [fence] = tuples;
  if (fence === undefined) return '';
  const revision = revisionOf(fence.user);
  if (!revision) throw new EngineError('nonsense', 'the fence names no revision');
  return revision;
}
