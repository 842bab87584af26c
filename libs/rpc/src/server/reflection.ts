import { type Server, type ServerDuplexStream, status as Code } from '@grpc/grpc-js';
import type { Fault } from '@platform/faults';
import {
  ServerReflectionService, type ServerReflectionRequest, type ServerReflectionResponse,
} from '@platform/proto/grpc/reflection/v1/reflection';
import { ServerReflectionService as AlphaService } from '@platform/proto/grpc/reflection/v1alpha/reflection';
import { protoFiles, type ProtoFiles, type Surface } from '@platform/surface';
import { refusal } from '../faults/status.ts';
import { addressOf } from './wire-call.ts';

type Request = ServerReflectionRequest['messageRequest'];
type Response = ServerReflectionResponse['messageResponse'];
type Call = ServerDuplexStream<ServerReflectionRequest, ServerReflectionResponse>;

const standardServices = ['grpc.health.v1.Health', ServerReflectionService.serverReflectionInfo.path.split('/')[1]!];

/**
 * Adds server reflection for the services of one app, for tools such as grpcurl. Each request counts as an anonymous
 * call from the client's address. While the client does not read responses, the server reads no further requests.
 */
export function addReflection(
  server: Server, surface: Surface, own: readonly string[], limit: (address: string) => Fault | undefined,
): void {
  const services = [...own, ...standardServices];
  let files: ProtoFiles | undefined;
  const serverReflectionInfo = (call: Call): void => {
    const address = addressOf(call.getPeer());
    call.on('data', (request: ServerReflectionRequest) => {
      const tooMany = limit(address);
      if (tooMany) {
        call.removeAllListeners('data');
        call.emit('error', refusal(tooMany));
        return;
      }
      files ??= protoFiles(surface);
      const messageResponse = answer(request.messageRequest, services, files);
      if (call.write({ validHost: request.host, originalRequest: request, messageResponse })) return;
      call.pause();
      call.once('drain', () => call.resume());
    });
    call.on('end', () => call.end());
  };
  // Serve v1alpha, too, because some clients know only this version. Its messages are the same as in v1.
  server.addService(ServerReflectionService, { serverReflectionInfo });
  server.addService(AlphaService, { serverReflectionInfo });
}

function answer(request: Request, services: readonly string[], files: ProtoFiles): Response {
  switch (request?.$case) {
    case 'listServices':
      return { $case: 'listServicesResponse', value: { service: services.map((name) => ({ name })) } };
    case 'fileByFilename':
      return filesOr(files.byName(request.value), request.value);
    case 'fileContainingSymbol':
      return filesOr(files.declaring(request.value), request.value);
    case 'fileContainingExtension': {
      const { containingType, extensionNumber } = request.value;
      return filesOr(files.extending(containingType, extensionNumber), `${containingType} ${extensionNumber}`);
    }
    case 'allExtensionNumbersOfType': {
      const extensionNumber = files.extensionsOf(request.value);
      if (!extensionNumber) return missing(request.value);
      return { $case: 'allExtensionNumbersResponse', value: { baseTypeName: request.value, extensionNumber } };
    }
    case undefined:
      return { $case: 'errorResponse', value: { errorCode: Code.INVALID_ARGUMENT, errorMessage: 'empty request' } };
  }
}

function filesOr(found: Uint8Array[] | undefined, what: string): Response {
  if (!found) return missing(what);
  const fileDescriptorProto = found.map((bytes) => Buffer.from(bytes));
  return { $case: 'fileDescriptorResponse', value: { fileDescriptorProto } };
}

function missing(what: string): Response {
  return { $case: 'errorResponse', value: { errorCode: Code.NOT_FOUND, errorMessage: `${what} is not known here` } };
}
