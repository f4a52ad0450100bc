import { type OpenAPIObject } from '@nestjs/swagger';
import { ownHost } from './host-calls.js';
import { Contract } from './openapi.js';

/** Objects that the test files of one process share. */
export interface WorkerShare {
  /** Returns the validator for an OpenAPI document, given as JSON. */
  contractOf(document: string): Contract;
  /** Returns the origin of the host of services. */
  serviceHost(): Promise<string>;
}

/** The only part in which the documents of two services differ. It does not affect validation. */
const SERVERS = /"servers":\[[^\]]*\]/;

const contracts = new Map<string, Contract>();

/** Loaded by the test environment once per worker. Modules that a test file imports are loaded anew for each file. */
export const workerShare: WorkerShare = {
  contractOf: (document) => {
    const described = document.replace(SERVERS, '');
    let contract = contracts.get(described);
    if (!contract) contracts.set(described, (contract = new Contract(JSON.parse(document) as OpenAPIObject)));
    return contract;
  },
  serviceHost: ownHost,
};
