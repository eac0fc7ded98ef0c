import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Logger, LoggerModule } from 'nestjs-pino';
import { CONFIG, loadRuntimeConfig, type RuntimeConfig } from '../../config';
import { MessageBroker } from '../../platform/messaging/message-broker';
import { MessagingModule } from '../../platform/messaging/messaging.module';
import { TOPOLOGY, type Topology } from '../../platform/messaging/topology';
import { takeAnnouncedCalls } from './announced-calls';
import { RuntimeModule, simulatedRuntime } from './runtime.module';

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

async function createContext(config: RuntimeConfig) {
  const app = await NestFactory.createApplicationContext(RuntimeProcess.with(config), {
    bufferLogs: true,
    abortOnError: false,
  });
  app.useLogger(app.get(Logger));
  return app;
}

/**
 * Runs the simulated runtime in a process of its own, until closed. It needs RabbitMQ and no database.
 * @throws ConfigError
 */
export async function start(
  config: RuntimeConfig = loadRuntimeConfig(),
): Promise<{ close(): Promise<void> }> {
  const app = await createContext(config);
  const { runtime } = app.get(RuntimeModule);
  const stopReading = runtime && config.PARLEY_CONFORMANCE ? takeAnnouncedCalls(runtime) : undefined;
  return {
    close: () => {
      stopReading?.();
      return app.close();
    },
  };
}

/**
 * Plays one call that reaches the simulated runtime, in a process of its own that takes no other calls.
 * @returns `refusal` resolves when the call has ended, or with the reason why the server refused it
 * @throws ConfigError
 */
export async function answer(
  call: { to_number: string; from_number: string },
  config: RuntimeConfig = loadRuntimeConfig(),
): Promise<{ refusal: Promise<string | undefined>; close(): Promise<void> }> {
  const app = await createContext({ ...config, ROLES: [] });
  const runtime = simulatedRuntime(config, app.get(MessageBroker), app.get<Topology>(TOPOLOGY), false);
  // The runtime takes the call as soon as it is connected.
  void runtime.start();
  const close = async () => {
    await runtime.stop();
    await app.close();
  };
  return { refusal: runtime.receive(call), close };
}
