import { Engine } from './engine';
import { FolderOutbox } from './folder-outbox';
import type { Logger, LogLevel } from './logger';
import type { EngineSettings } from './options';
import { MemoryOutbox } from './outbox';
import type { FromEngine } from './protocol';
import type { Transport } from './transport';

/** @returns undefined if the outbox cannot be used, after a message about it */
export function createEngine(
  settings: EngineSettings,
  transport: Transport,
  { post, watchesEventLoop }: { post: (message: FromEngine) => void; watchesEventLoop: boolean },
): Engine | undefined {
  const log = (level: LogLevel) => (message: string, details?: object) =>
    post({ kind: 'log', level, message, details });
  const logger: Logger = {
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
  };
  try {
    const { outbox: folder } = settings;
    const outbox = folder === undefined ? new MemoryOutbox() : new FolderOutbox(folder, logger);
    return new Engine(settings, { transport, outbox, post, logger, watchesEventLoop });
  } catch (error) {
    post({
      kind: 'refused',
      message: `The outbox ${settings.outbox} cannot be used: ${(error as Error).message}`,
    });
    post({ kind: 'closed' });
    return undefined;
  }
}
