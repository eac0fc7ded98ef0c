/**
 * SQL: the error of a deployment whose run is deleted. The error has the form `rehearsal: what was seen`. The name of the
 * rehearsal stays, and what was seen is removed.
 */
export const ERROR_OF_DELETED_RUN = `regexp_replace(deployment_error, ':.*', ': its run was deleted.')`;
