/** The header of answers that are read from a replica. */
export const AS_OF = 'X-As-Of';

/** The description of the header in the OpenAPI document. */
export const AS_OF_HEADERS = {
  [AS_OF]: {
    description:
      'Only if the answer was read from a replica (`REPORTS_DATABASE_URL`): it has all that was committed by this ' +
      'time. Without the header, it was read from the primary.',
    schema: { type: 'string' as const, format: 'date-time' },
  },
};
