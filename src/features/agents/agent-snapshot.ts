import { PRESENTATION_FIELDS } from './agent-defaults';
import type { Agent } from './agent.entity';

/** The columns of an agent that its calls depend on. They depend on its config too, except for `PRESENTATION_FIELDS`. */
export const SNAPSHOT_COLUMNS = ['name', 'type'] as const satisfies (keyof Agent)[];

const isPresentation = (field: string) => PRESENTATION_FIELDS.some((name) => name === field);

/** The part of an agent that its calls depend on, without its knowledge bases. */
export const toSnapshot = (agent: Agent): Record<string, unknown> => ({
  ...Object.fromEntries(SNAPSHOT_COLUMNS.map((column) => [column, agent[column]])),
  ...Object.fromEntries(Object.entries(agent.config).filter(([field]) => !isPresentation(field))),
});
