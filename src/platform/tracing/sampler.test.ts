import { ROOT_CONTEXT, SpanKind, trace, TraceFlags } from '@opentelemetry/api';
import * as sdk from '@opentelemetry/sdk-trace';
import { createSampler } from './sampler';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const { RECORD_AND_SAMPLED } = sdk.SamplingDecision;

/** The number of these spans that are recorded. */
function countRecorded(sampler: sdk.Sampler, spans: { kind: SpanKind; number: number; sampled: boolean }) {
  const traceFlags = spans.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  const remote = { traceId, spanId: 'b7ad6b7169203331', traceFlags, isRemote: true };
  const parent = trace.setSpanContext(ROOT_CONTEXT, remote);
  return Array.from({ length: spans.number }, () =>
    sampler.shouldSample(parent, traceId, 'span', spans.kind, {}, []),
  ).filter(({ decision }) => decision === RECORD_AND_SAMPLED).length;
}

test('clients decide for a hundred requests of a second, and the setting for the others', () => {
  const create = (ratio: number) =>
    createSampler(sdk, {
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: ratio,
    });
  const requests = { kind: SpanKind.SERVER, number: 10_000, sampled: true };

  // The second may change meanwhile.
  expect(countRecorded(create(0), requests)).toBeLessThanOrEqual(1_000);
  expect(countRecorded(create(0), { ...requests, number: 100 })).toBe(100);
  expect(countRecorded(create(1), requests)).toBe(10_000);
  expect(countRecorded(create(1), { ...requests, sampled: false })).toBe(0);
  expect(countRecorded(create(0), { ...requests, kind: SpanKind.CONSUMER })).toBe(10_000);
});
