import { SpanKind } from '@opentelemetry/api';
import type { Sampler } from '@opentelemetry/sdk-trace';
import type { Config } from '../../config';

type Sdk = typeof import('@opentelemetry/sdk-trace');

/** The requests of a second that are recorded because their clients say so, who may be anybody. */
const MAX_REQUESTS = 100;

/**
 * Records what continues a recorded trace. Of the requests of a second beyond the first ones, `own` decides: a header of a
 * stranger must not fill the queue of spans. Messages are not counted, because only runtimes send them.
 */
const limitRequests = (always: Sampler, own: Sampler): Sampler => {
  let second = 0;
  let requests = 0;
  return {
    shouldSample(...span) {
      const now = Math.floor(performance.now() / 1_000);
      if (now !== second) [second, requests] = [now, 0];
      const isLimited = span[3] === SpanKind.SERVER && ++requests > MAX_REQUESTS;
      return (isLimited ? own : always).shouldSample(...span);
    },
    toString: () => `LimitedRequests{${MAX_REQUESTS} a second, then ${own.toString()}}`,
  };
};

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
  return own === name
    ? sampler
    : new ParentBasedSampler({
        root: sampler,
        remoteParentSampled: limitRequests(new AlwaysOnSampler(), sampler),
      });
}
