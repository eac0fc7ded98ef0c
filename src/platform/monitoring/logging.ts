import type { Params } from 'nestjs-pino';
import type { Config } from '../../config';
import { errorToLog } from './error-to-log';

/** One JSON line for each event; `RequestLog` writes those of requests, in the place of the library's. */
export const loggerParams = (config: Pick<Config, 'LOG_LEVEL'>): Params => ({
  forRoutes: [],
  pinoHttp: {
    level: config.LOG_LEVEL,
    // Otherwise our serializer gets the output of pino's in requests, and the error itself elsewhere.
    wrapSerializers: false,
    serializers: { err: errorToLog },
  },
});
