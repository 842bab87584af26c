/** A REST server in front of a real gRPC service with the test API, for specs of apps that serve REST. */
export { startTestRest, type TestRest, type TestRestOptions, testSurface } from './test-rest.ts';
export { aliceToken, strangerToken } from './test-service.ts';
