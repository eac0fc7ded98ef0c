import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CredentialsModule } from '../../accounts/auth/credentials.module';
import { PeopleModule } from '../../accounts/people/people.module';
import { CallRollupsModule } from '../../features/calls/call-rollups.module';
import { type Config, ConfigError, configModule, loadConfig } from '../../config';
import { DatabaseModule } from '../../platform/database/database.module';
import { findPendingMigrations, migrate } from '../../platform/database/migrate';
import { MigrationsService } from '../../platform/database/migrations.service';
import { DemoDataModule } from '../demo-data/demo-data.module';
import { ApiError } from '../../platform/http/errors';
import { PhoneNumbersModule } from '../../features/phone-numbers/phone-numbers.module';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { VerificationModule } from '../../features/verification/verification.module';
import { WorkspacesModule } from '../../accounts/workspaces/workspaces.module';
import { UsageError } from './command';
import { commands, USAGE } from './commands';

@Module({
  imports: [
    DatabaseModule,
    ReadModelsModule,
    WorkspacesModule,
    CredentialsModule,
    PeopleModule,
    PhoneNumbersModule,
    CallRollupsModule,
    VerificationModule,
    DemoDataModule,
  ],
  providers: [MigrationsService],
})
class OperatorModule {
  static with(config: Config) {
    return { module: OperatorModule, imports: [configModule(config)] };
  }
}

/** @throws ConfigError if the database is behind and MIGRATE is false */
async function bringUpToDate(config: Config): Promise<void> {
  if (config.MIGRATE) return migrate(config);
  const pending = await findPendingMigrations(config);
  if (pending.length === 0) return;
  throw new ConfigError(
    `The database is behind this release by ${pending.length} migrations, and MIGRATE is false. Run operator -- migrate first.`,
  );
}

/** Whether the command line requests the usage, which needs no database. */
export const isHelpRequest = ([first = '', ...others]: string[]) =>
  ['help', '--help', '-h'].includes(first) || others.includes('--help');

/**
 * Runs one command on the database. It needs no server.
 * @returns the exit code: 0, 1 for a command that failed, 2 for one that was not understood
 */
export async function operate(args: string[]): Promise<number> {
  if (isHelpRequest(args)) {
    process.stdout.write(USAGE);
    return 0;
  }
  let app: INestApplicationContext | undefined;
  try {
    if (args.length === 0) throw new UsageError('A command is missing.');
    const words = Object.hasOwn(commands, args[0] ?? '') ? 1 : 2;
    const name = args.slice(0, words).join(' ');
    const options = args.slice(words);
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) throw new UsageError(`There is no command "${name}".`);
    const { asJson, run } = command.parse(options);
    const config = loadConfig();
    if (!command.migratesItself) await bringUpToDate(config);
    const context = await NestFactory.createApplicationContext(OperatorModule.with(config), {
      logger: false,
      abortOnError: false,
    });
    app = context;
    const { result, exitCode } = await run((type) => context.get(type, { strict: false }));
    process.stdout.write(asJson ? `${JSON.stringify(result)}\n` : describe(result));
    return exitCode;
  } catch (error) {
    return explain(error);
  } finally {
    await app?.close();
  }
}

const describe = (result: object) =>
  Object.entries(result)
    .map(([name, value]) => `${name}: ${toText(value)}\n`)
    .join('');

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value instanceof Date ? value.toISOString() : JSON.stringify(value);
}

function explain(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n\n${USAGE}`);
    return 2;
  }
  if (error instanceof ApiError) {
    const { details, error: inner, errors = [] } = error.members;
    const more = [details, inner?.details, ...errors.map(({ message }) => message)].filter(Boolean);
    process.stderr.write(`${[error.message, ...more].join(': ')}\n`);
    return 1;
  }
  // If a host has several addresses, each has its own error, and the AggregateError has no message.
  const [first] = (error as { errors?: Error[] }).errors ?? [error as Error];
  const known = error instanceof ConfigError || (error as { code?: unknown }).code !== undefined;
  process.stderr.write(`${known ? first?.message : first?.stack}\n`);
  return 1;
}
