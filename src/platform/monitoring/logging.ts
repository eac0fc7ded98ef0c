import type { Params } from 'nestjs-pino';
import type { Config } from '../../config';
import { isTracingConfigured } from '../tracing/start-tracing';
import { currentTraceId } from '../tracing/tracing';
import { errorToLog } from './error-to-log';
import { processNumber } from './process-metrics';

/**
 * The parameters of the library: one JSON line for each event. `RequestLog` writes the lines of requests instead.
 */
export const loggerParams = (
  config: Pick<Config, 'LOG_LEVEL' | 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_SDK_DISABLED'>,
): Params => ({
  forRoutes: [],
  pinoHttp: {
    level: config.LOG_LEVEL,
    ...((processNumber !== undefined || isTracingConfigured(config)) && {
      mixin: () => ({ process: processNumber, trace_id: currentTraceId() }),
    }),
    // Without this, our serializer gets the output of pino's in requests, and the error itself elsewhere.
    wrapSerializers: false,
    serializers: { err: errorToLog },
  },
});
