import type { Type } from '@nestjs/common';

const EXAMPLE = Symbol('example');

/** Gives a class its example in the OpenAPI document. */
export const Example = (example: object) => (target: Type) =>
  Reflect.defineMetadata(EXAMPLE, example, target);

/** @returns undefined if the class itself has none */
export const getExample = (type: Type) => Reflect.getOwnMetadata(EXAMPLE, type) as object | undefined;

/** The ids that the examples of all routes share. */
export const EXAMPLE_IDS = {
  workspace: '01980f6c-0a11-7c3e-8f10-2b6f0c9d4a01',
  user: '01980f6c-0a12-7d4f-9a21-3c7f1d0e5b02',
  agent: '01980f6c-3c5e-7a51-9a53-5f3b1c2d4e6f',
  conversation: '01980f70-91b4-7e62-8c64-6a4c2d3e5f70',
  campaign: '01980f6e-5d2a-7b83-9d75-7b5d3e4f6a81',
  knowledgeBase: '01980f6d-2f47-7c94-8e86-8c6e4f5a7b92',
  source: '01980f6d-2f48-7da5-9f97-9d7f5a6b8ca3',
  phoneNumber: '01980f6c-7e19-7eb6-8aa8-ae8a6b7c9db4',
  promptTemplate: '01980f6b-8c3d-7fc7-9bb9-bf9b7c8daec5',
  request: '01a1f7d3-04a9-7969-9d1b-dbbdae0f1e07',
  erasure: '01980f71-4d6e-7be9-8ddb-dbbd9eafc0e7',
  session: '01980f72-6c1f-7d0a-9bec-ecceafb0d1f8',
  person: '01980f73-7d20-7e1b-9cfd-fddfb0c1e2a9',
  tool: '01980f74-8e31-7f2c-8d0e-0ee0c1d2f3ba',
  invocation: '01980f75-9f42-703d-9e1f-1ff1d2e3a4cb',
  rehearsal: '01980f76-a053-714e-af2a-2aa2e3f4b5dc',
  rehearsalRun: '01980f77-b164-725f-bf3b-3bb3f4a5c6ed',
  savedView: '01980f78-c275-7360-8f4c-4cc4a5b6d7fe',
  webhookEndpoint: '01980f79-d386-7481-9a5d-5dd5b6c7e80f',
  webhookEvent: '01980f7a-e497-7592-8b6e-6ee6c7d8f910',
  apiKey: '01980f6a-1b2c-7ad8-8cca-caac8d9ebfd6',
};

export const EXAMPLE_TIME = '2026-03-02T09:30:00.000Z';
