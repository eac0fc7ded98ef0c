import { validationFailed } from '../../../platform/http/errors';

const inQuery = (field: string, message: string) => validationFailed([{ field: `query.${field}`, message }]);

export const tooManyBuckets = (max: number) =>
  inQuery(
    'interval',
    `interval makes more than ${max} buckets of this time. Ask for less time or longer buckets`,
  );

export const notCountedByField = (message: string) => inQuery('group_by', message);

export const seriesTooLarge = (megabytes: number) =>
  inQuery(
    'group_by',
    `group_by makes an answer of more than ${megabytes} MB. Ask for fewer buckets or add a filter`,
  );

export const tooManyGroups = (max: number) =>
  inQuery(
    'group_by',
    `group_by makes more than ${max} groups in all buckets together. Ask for fewer buckets or add a filter`,
  );
