import { type Attributes, createNoopMeter, type MeterProvider } from '@opentelemetry/api';

/** `queue_full`: spans that the queue had no room for. `not_sent`: spans that the receiver did not take. */
export type LossReason = 'queue_full' | 'not_sent';

const counts: Record<LossReason, number> = { queue_full: 0, not_sent: 0 };

/** The number of spans that this process has recorded and that did not reach the receiver. */
export const countLostSpans = (): Readonly<Record<LossReason, number>> => ({ ...counts });

/**
 * Counts what the SDK's processor of spans reports about itself.
 * @param dropped is called if spans were dropped because the queue is full
 */
export const countLosses = (dropped: () => void): MeterProvider => ({
  getMeter: () =>
    Object.assign(createNoopMeter(), {
      createCounter: () => ({
        add(spans: number, { 'error.type': error }: Attributes = {}) {
          // The other attributes say that the spans were sent.
          if (error === undefined) return;
          counts[error === 'queue_full' ? 'queue_full' : 'not_sent'] += spans;
          if (error === 'queue_full') dropped();
        },
      }),
    }),
});
