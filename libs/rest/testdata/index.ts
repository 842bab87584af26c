/** A REST server before a real gRPC service that serves the test API, for specs of apps that serve REST. */
export { startTestRest, type TestRest, type TestRestOptions, testSurface } from './test-rest.ts';
export { aliceToken, strangerToken } from './test-service.ts';
