/** SQL: the version of an agent that its calls use. null: none is published yet */
export const ACTIVE_VERSION = `CASE WHEN agents.gated THEN agents.active_version ELSE agents.deployment_version END`;

/** SQL: the type of an agent in the version that its calls use. */
export const ACTIVE_TYPE = `CASE WHEN agents.gated THEN COALESCE(agents.active_type, agents.type) ELSE agents.type END`;

/** SQL: whether an agent is switched on, and a version of it is published. */
export const TAKES_CALLS = `(agents.status AND (agents.active_version IS NOT NULL OR NOT agents.gated))`;
