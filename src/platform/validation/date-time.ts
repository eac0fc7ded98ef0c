const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * An ISO 8601 date-time as a Date; one without a zone is UTC. A date alone means its first moment, or with
 * `endOfDay` its last, so that an upper bound includes the day it names.
 */
export function parseDateTime(text: string, endOfDay = false): Date | undefined {
  const [, year, month, day, time] = DATE_TIME.exec(text) ?? [];
  if (!year || !month || !day) return undefined;
  const zoned = !time
    ? `${text}T${endOfDay ? '23:59:59.999' : '00:00:00.000'}Z`
    : /(Z|[+-]\d\d:?\d\d)$/.test(time)
      ? text
      : `${text}Z`;
  const value = new Date(zoned);
  // Date turns 30 February into 1 March; neither Postgres' year 0 nor a year of five digits could be read back.
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  const utcYear = value.getUTCFullYear();
  return utcYear >= 1 && utcYear <= 9999 && Number(day) <= lastDay ? value : undefined;
}
