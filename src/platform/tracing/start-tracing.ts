import { Logger } from '@nestjs/common';
import type { Config } from '../../config';
import { createSampler } from './sampler';
import { countLosses, countLostSpans } from './lost-spans';
import { switchTracing } from './tracing';

/** The time for the last spans at the end of the process. */
const FLUSH_MS = 2_000;

/** The spans of one request. */
const MAX_BATCH = 512;

/** The exporter gives up after its own timeout, and then needs a moment. */
const EXPORT_MARGIN_MS = 1_000;
const LOG_INTERVAL_MS = 60_000;

type TracingConfig = Pick<
  Config,
  | 'OTEL_BSP_MAX_QUEUE_SIZE'
  | 'OTEL_BSP_SCHEDULE_DELAY'
  | 'OTEL_EXPORTER_OTLP_ENDPOINT'
  | 'OTEL_EXPORTER_OTLP_HEADERS'
  | 'OTEL_EXPORTER_OTLP_TIMEOUT'
  | 'OTEL_RESOURCE_ATTRIBUTES'
  | 'OTEL_SDK_DISABLED'
  | 'OTEL_SERVICE_NAME'
  | 'OTEL_TRACES_SAMPLER'
  | 'OTEL_TRACES_SAMPLER_ARG'
>;

export const isTracingConfigured = (
  config: Pick<Config, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_SDK_DISABLED'>,
): boolean => config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined && !config.OTEL_SDK_DISABLED;

/**
 * Records spans and sends them to a receiver in batches. If the queue of spans is full, further ones are dropped, and
 * counted. The libraries are loaded only here.
 * @returns the function that sends what is left, for 2 s at most
 */
export async function startTracing(config: TracingConfig): Promise<() => Promise<void>> {
  if (!isTracingConfigured(config)) return () => Promise.resolve();
  const { context, trace } = await import('@opentelemetry/api');
  const { AsyncLocalStorageContextManager } = await import('@opentelemetry/context-async-hooks');
  const { loggingErrorHandler, setGlobalErrorHandler } = await import('@opentelemetry/core');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const sdk = await import('@opentelemetry/sdk-trace');

  const logLosses = logSometimes();
  setGlobalErrorHandler(logLosses);
  const exporter = new OTLPTraceExporter({
    url: `${config.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, '')}/v1/traces`,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    timeoutMillis: config.OTEL_EXPORTER_OTLP_TIMEOUT,
  });
  const processor = new sdk.BatchSpanProcessor({
    exporter,
    maxQueueSize: config.OTEL_BSP_MAX_QUEUE_SIZE,
    maxExportBatchSize: Math.min(MAX_BATCH, config.OTEL_BSP_MAX_QUEUE_SIZE),
    // The processor must not begin another batch before the exporter has given up this one.
    exportTimeoutMillis: config.OTEL_EXPORTER_OTLP_TIMEOUT + EXPORT_MARGIN_MS,
    scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY,
    selfObsMeterProvider: countLosses(() => logLosses()),
  });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'parley',
      ...config.OTEL_RESOURCE_ATTRIBUTES,
      // The setting wins over the attribute, as the specification of OpenTelemetry's environment variables says.
      ...(config.OTEL_SERVICE_NAME !== undefined && { 'service.name': config.OTEL_SERVICE_NAME }),
    }),
    sampler: createSampler(sdk, config),
    spanProcessors: [processor],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  switchTracing(true);

  return async () => {
    switchTracing(false);
    const timeUp = new Promise<void>((resolve) => setTimeout(resolve, FLUSH_MS).unref());
    await Promise.race([provider.shutdown().catch(() => undefined), timeUp]);
    trace.disable();
    context.disable();
    setGlobalErrorHandler(loggingErrorHandler());
  };
}

/** A receiver that is away fails every few seconds, and a full queue drops every span. */
function logSometimes(): (error?: unknown) => void {
  const logger = new Logger('Tracing');
  let loggedAt = -Infinity;
  return (error) => {
    const now = performance.now();
    if (now - loggedAt < LOG_INTERVAL_MS) return;
    loggedAt = now;
    logger.warn(
      { ...(error !== undefined && { err: error }), lostSpans: countLostSpans() },
      'Spans did not reach OTEL_EXPORTER_OTLP_ENDPOINT, or were more than the queue holds; losses of the next minute are not logged',
    );
  };
}
