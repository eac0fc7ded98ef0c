import type { Sampler } from '@opentelemetry/sdk-trace';
import type { Config } from '../../config';

type Sdk = typeof import('@opentelemetry/sdk-trace');

/**
 * The sampler of the settings that OpenTelemetry defines.
 * @param sdk is loaded by the caller, only if spans are recorded
 */
export function createSampler(
  { AlwaysOffSampler, AlwaysOnSampler, ParentBasedSampler, TraceIdRatioBasedSampler }: Sdk,
  {
    OTEL_TRACES_SAMPLER: name,
    OTEL_TRACES_SAMPLER_ARG: ratio,
  }: Pick<Config, 'OTEL_TRACES_SAMPLER' | 'OTEL_TRACES_SAMPLER_ARG'>,
): Sampler {
  const samplers = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const own = name.replace('parentbased_', '') as keyof typeof samplers;
  const sampler = samplers[own]();
  return own === name ? sampler : new ParentBasedSampler({ root: sampler });
}
