import { runSteps } from '../../launch/build/run-steps.mjs';

process.env.REDOCLY_TELEMETRY = 'off';
process.env.REDOCLY_SUPPRESS_UPDATE_NOTICE = 'true';

runSteps({
  generated: 'node generate/generate.mjs client-types console-types',
  wire: 'node generate/wire.mjs --check',
  rules: 'oxlint',
  imports:
    "depcruise src launch generate test bench packages console/src --exclude '^packages/[^/]+/dist/' --config .dependency-cruiser.cjs",
  openapi: 'redocly lint docs/openapi.json --extends=recommended-strict',
  spectral: 'node generate/spectral.mjs docs/openapi.json docs/asyncapi.yaml',
});
