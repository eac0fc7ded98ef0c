import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Logger, LoggerModule } from 'nestjs-pino';
import { CONFIG, loadRuntimeConfig, type RuntimeConfig } from '../config';
import { MessagingModule } from '../messaging/messaging.module';
import { RuntimeModule } from './runtime.module';

@Module({})
class RuntimeProcess {
  static with(config: RuntimeConfig): DynamicModule {
    return {
      module: RuntimeProcess,
      global: true,
      imports: [
        LoggerModule.forRoot({ pinoHttp: { level: config.LOG_LEVEL } }),
        MessagingModule,
        RuntimeModule,
      ],
      providers: [{ provide: CONFIG, useValue: config }],
      exports: [CONFIG],
    };
  }
}

/**
 * Runs the simulated runtime in a process of its own, until closed. It needs RabbitMQ and no database.
 * @throws ConfigError
 */
export async function start(
  config: RuntimeConfig = loadRuntimeConfig(),
): Promise<{ close(): Promise<void> }> {
  const app = await NestFactory.createApplicationContext(RuntimeProcess.with(config), {
    bufferLogs: true,
    abortOnError: false,
  });
  app.useLogger(app.get(Logger));
  return { close: () => app.close() };
}
