import { byName } from '../../platform/database/closed-list';

/** The way of a new version of an agent to calls: at once, or once its rehearsals have passed. */
export const PUBLISH_MODES = ['automatic', 'gated'] as const;
export type PublishMode = (typeof PUBLISH_MODES)[number];
export const PUBLISH_MODE = byName(PUBLISH_MODES);
