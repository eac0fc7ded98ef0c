/** The destination of messages for operators: `console`, pino and most other loggers fit. */
export interface Logger {
  debug(message: string, details?: object): void;
  info(message: string, details?: object): void;
  warn(message: string, details?: object): void;
  error(message: string, details?: object): void;
}

export type LogLevel = keyof Logger;

const written = (details: object | undefined) => (details === undefined ? [] : [details]);

/** The default logger, which writes everything but details for developers to standard error. */
export const consoleLogger: Logger = {
  debug: () => undefined,
  info: (message, details) => console.error(`[parley] ${message}`, ...written(details)),
  warn: (message, details) => console.error(`[parley] warning: ${message}`, ...written(details)),
  error: (message, details) => console.error(`[parley] error: ${message}`, ...written(details)),
};

/** Makes a logger whose failures, also those of its promises, do not reach the worker. */
export function harmless(logger: Logger): Logger {
  const log = (level: LogLevel) => (message: string, details?: object) => {
    try {
      const written: unknown =
        details === undefined ? logger[level](message) : logger[level](message, details);
      Promise.resolve(written).catch(() => undefined);
    } catch {
      // A failure of the logger cannot be logged.
    }
  };
  return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
}
