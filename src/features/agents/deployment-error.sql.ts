/**
 * SQL: the error of a deployment without what a rehearsal has seen, when the run of it is deleted. It begins with the name
 * of the rehearsal and a colon.
 */
export const ERROR_OF_DELETED_RUN = `regexp_replace(deployment_error, ':.*', ': its run was deleted.')`;
