import { runSteps } from './run-steps.mjs';

process.env.REDOCLY_TELEMETRY = 'off';
process.env.REDOCLY_SUPPRESS_UPDATE_NOTICE = 'true';

runSteps({
  generated: 'node scripts/generate.mjs client-types console-types',
  rules: 'oxlint',
  imports:
    "depcruise src test packages console/src --exclude '^packages/[^/]+/dist/' --config .dependency-cruiser.cjs",
  openapi: 'redocly lint docs/openapi.json --extends=recommended-strict',
  spectral: 'node scripts/spectral.mjs docs/openapi.json docs/asyncapi.yaml',
});
