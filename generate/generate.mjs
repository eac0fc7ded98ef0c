import { runSteps } from '../launch/build/run-steps.mjs';

const typescript = 'node -r @swc-node/register';

/** Writes the files that are made from the sources. */
runSteps({
  openapi: `${typescript} generate/openapi.ts`,
  routes: `${typescript} generate/routes.ts`,
  statements: `${typescript} generate/statements.ts`,
  schema: `${typescript} generate/schema.ts`,
  wire: 'node generate/wire.mjs',
  'client-types': 'npm run --silent generate --workspace packages/client',
  'client-promises': 'node packages/client/scripts/promises.mjs --add',
  'console-types': 'openapi-typescript docs/openapi.json --output console/src/api/schema.ts',
});
