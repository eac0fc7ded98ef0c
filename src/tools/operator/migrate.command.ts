import { MigrationsService } from '../../platform/database/migrations.service';
import { command } from './command';

export const migrateCommand = {
  migrate: command({
    usage: '[--dry-run]',
    summary: 'Brings the database up to date. --dry-run only shows what is pending.',
    options: { 'dry-run': { type: 'boolean' } },
    migratesItself: true,
    run: async ({ 'dry-run': isDryRun }, services) => {
      const migrations = services(MigrationsService);
      const pending = await migrations.findPending();
      if (isDryRun) return { pending };
      await migrations.run();
      return { applied: pending, pending: await migrations.findPending() };
    },
  }),
};
