import { DataSource } from 'typeorm';
import { dataSourceOptions } from './src/platform/database/data-source';

/** The data source of the TypeORM command line: `npm run migration:generate`. */
export default new DataSource(
  dataSourceOptions({ DATABASE_URL: process.env.DATABASE_URL ?? '', DATABASE_POOL_SIZE: 2 }),
);
