/** The runtime broke the rule of a scenario. The message describes the violation. */
export class Violation extends Error {}

/** The scenario does not apply to this runtime. */
export class Skipped extends Error {}

/** The kit cannot judge the runtime: no RabbitMQ, no consumer, a wrong option. */
export class CannotRun extends Error {}
