import { DefaultNamingStrategy, type Table } from 'typeorm';
import { snakeCase } from 'typeorm/util/StringUtils';

const getTableName = (table: Table | string) =>
  (typeof table === 'string' ? table : table.name).replace(/^.*\./, '');

/**
 * Gives constraints and indexes the names that Postgres itself would choose, so that hand-written SQL and its
 * error messages read well.
 */
export class PostgresNamingStrategy extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined, prefixes: string[]) {
    return snakeCase([...prefixes, customName ?? propertyName].join('_'));
  }

  override joinColumnName(relationName: string, referencedColumnName: string) {
    return snakeCase(`${relationName}_${referencedColumnName}`);
  }

  override primaryKeyName(table: Table | string) {
    return `${getTableName(table)}_pkey`;
  }

  override relationConstraintName(table: Table | string, columns: string[]) {
    return [getTableName(table), ...columns, 'key'].join('_');
  }

  override foreignKeyName(table: Table | string, columns: string[]) {
    return [getTableName(table), ...columns, 'fkey'].join('_');
  }

  override indexName(table: Table | string, columns: string[]) {
    return [getTableName(table), ...columns, 'idx'].join('_');
  }
}
